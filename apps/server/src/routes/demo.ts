import { BronError } from "@bron/core";
import type { DemoFault, DemoView } from "@bron/protocol";
import type { Caller, On } from "../register-endpoint.ts";

/** The simulated outside, where there is one. */
export interface Sandbox {
  view(account?: string): Promise<DemoView>;
  injectFault(fault: DemoFault): Promise<void>;
  clearFaults(): Promise<void>;
  /** Back to the beginning, with the accounts connected. */
  reset(): Promise<void>;
}

/** What really happened out there, and switches for what may go wrong. Not found where nothing is simulated. */
export function addDemoRoutes(
  on: On,
  { demo, ownerId }: { readonly demo: Sandbox | undefined; readonly ownerId: string },
): void {
  /** It is one world, with the accounts of the machine's owner. */
  const simulator = (caller: Caller) => {
    if (!demo || caller.ownerId !== ownerId)
      throw new BronError("not_found", "Nothing is simulated here.");
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
