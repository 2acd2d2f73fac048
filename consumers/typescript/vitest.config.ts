import { defineConfig } from "vitest/config";

const common = { pool: "forks", maxWorkers: 2, testTimeout: 60_000, hookTimeout: 90_000 } as const;

export default defineConfig({
  test: {
    projects: [
      { test: { ...common, name: "test", include: ["test/**/*.test.ts"] } },
      { test: { ...common, name: "examples", include: ["examples/**/*.test.ts"], globalSetup: ["examples/daemon.ts"] } },
    ],
  },
});
