import { BronError } from "@bron/core";
import type { DemoFault, DemoView } from "@bron/protocol";
import type { On } from "../door.ts";

/** The simulated outside, where there is one. */
export interface DemoWorld {
  view(account?: string): Promise<DemoView>;
  breakIt(fault: DemoFault): Promise<void>;
  mendIt(): Promise<void>;
  /** Back to the beginning, with the accounts connected. */
  reset(): Promise<void>;
}

/** What really happened out there, and switches for what may go wrong. Not found where nothing is simulated. */
export function addDemoRoutes(on: On, { demo }: { readonly demo: DemoWorld | undefined }): void {
  const world = () => {
    if (!demo) throw new BronError("not_found", "Nothing is simulated here.");
    return demo;
  };
  on("GET /api/demo", ({ query }) => world().view(query.account));
  on("POST /api/demo/faults", async ({ body }) => {
    await world().breakIt(body.fault);
    return await world().view();
  });
  on("POST /api/demo/faults/clear", async () => {
    await world().mendIt();
    return await world().view();
  });
  on("POST /api/demo/reset", async () => {
    await world().reset();
    return await world().view();
  });
}
