import { BronError } from "@bron/core";
import type { DemoFault, DemoView } from "@bron/protocol";
import type { Caller, On } from "../register-endpoint.ts";

/** The simulated email, calendar and Slack of a demo. */
export interface Sandbox {
  view(account?: string): Promise<DemoView>;
  injectFault(fault: DemoFault): Promise<void>;
  clearFaults(): Promise<void>;
  /** Restores the initial state and reconnects the accounts. */
  reset(): Promise<void>;
}

/** Shows the sandbox and injects faults. All routes return not_found when there is no sandbox. */
export function addDemoRoutes(
  on: On,
  { demo, ownerId }: { readonly demo: Sandbox | undefined; readonly ownerId: string },
): void {
  /** The sandbox has only the accounts of the machine's owner. */
  const simulator = (caller: Caller) => {
    if (!demo || caller.ownerId !== ownerId)
      throw new BronError("not_found", "This server has no sandbox.");
    return demo;
  };
  on("GET /api/demo", ({ caller, query }) => simulator(caller).view(query.account));
  on("POST /api/demo/faults", async ({ caller, body }) => {
    await simulator(caller).injectFault(body.fault);
    return await simulator(caller).view();
  });
  on("POST /api/demo/faults/clear", async ({ caller }) => {
    await simulator(caller).clearFaults();
    return await simulator(caller).view();
  });
  on("POST /api/demo/reset", async ({ caller }) => {
    await simulator(caller).reset();
    return await simulator(caller).view();
  });
}
