/** A page object: what the counter's screen offers, in the words of a test. */

import type { AgentDeviceClient } from "agent-device-client";

export class CounterPage {
  readonly #device: AgentDeviceClient;

  private constructor(device: AgentDeviceClient) {
    this.#device = device;
  }

  /** Goes there from the first screen. */
  static async open(device: AgentDeviceClient): Promise<CounterPage> {
    await device.interactions.press("role=listitem label=Counter");
    await device.command.wait("role=heading label=Counter");
    return new CounterPage(device);
  }

  async press(times = 1): Promise<void> {
    await this.#device.interactions.press("id=tap", { count: times });
  }

  async hold(): Promise<void> {
    await this.#device.interactions.longPress("id=hold");
  }

  /** What the screen says of it. */
  async pressed(): Promise<number> {
    return Number(/\d+/.exec(await this.#device.interactions.getText("id=taps"))?.[0]);
  }
}
