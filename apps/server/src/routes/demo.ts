import { BronError } from "@bron/core";
import type { DemoFault, DemoView } from "@bron/protocol";
import type { Caller, On } from "../door.ts";

/** The simulated outside, where there is one. */
export interface DemoWorld {
  view(account?: string): Promise<DemoView>;
  breakIt(fault: DemoFault): Promise<void>;
  mendIt(): Promise<void>;
  /** Back to the beginning, with the accounts connected. */
  reset(): Promise<void>;
}

/** What really happened out there, and switches for what may go wrong. Not found where nothing is simulated. */
export function addDemoRoutes(
  on: On,
  { demo, ownerId }: { readonly demo: DemoWorld | undefined; readonly ownerId: string },
): void {
  /** It is one world, with the accounts of the machine's owner. */
  const world = (caller: Caller) => {
    if (!demo || caller.ownerId !== ownerId)
      throw new BronError("not_found", "Nothing is simulated here.");
    return demo;
  };
  on("GET /api/demo", ({ caller, query }) => world(caller).view(query.account));
  on("POST /api/demo/faults", async ({ caller, body }) => {
    await world(caller).breakIt(body.fault);
    return await world(caller).view();
  });
  on("POST /api/demo/faults/clear", async ({ caller }) => {
    await world(caller).mendIt();
    return await world(caller).view();
  });
  on("POST /api/demo/reset", async ({ caller }) => {
    await world(caller).reset();
    return await world(caller).view();
  });
}
