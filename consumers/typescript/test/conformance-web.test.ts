import { conformance } from "./support/conformance.js";

conformance("web");
