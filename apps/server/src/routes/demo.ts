import { BronError } from "@bron/core";
import { demoFaultSchema, type DemoFault, type DemoView } from "@bron/protocol";
import type { Hono } from "hono";
import { z } from "zod";
import type { DoorEnv } from "../gate.ts";
import { readJson, type BodyLimits } from "../read-json.ts";

/** The simulated outside, where there is one. */
export interface DemoWorld {
  view(account?: string): Promise<DemoView>;
  breakIt(fault: DemoFault): Promise<void>;
  mendIt(): Promise<void>;
  /** Back to the beginning, with the accounts connected. */
  reset(): Promise<void>;
}

const faultBody = z.strictObject({ fault: demoFaultSchema });

/** What really happened out there, and switches for what may go wrong. Not found where nothing is simulated. */
export function addDemoRoutes(app: Hono<DoorEnv>, { demo, limits }: { readonly demo: DemoWorld | undefined; readonly limits: BodyLimits }): void {
  const world = () => {
    if (!demo) throw new BronError("not_found", "Nothing is simulated here.");
    return demo;
  };
  app.get("/api/demo", async (c) => c.json(await world().view(c.req.query("account"))));
  app.post("/api/demo/faults", async (c) => {
    const { fault } = faultBody.parse(await readJson(c.env.incoming, limits));
    await world().breakIt(fault);
    return c.json(await world().view());
  });
  app.post("/api/demo/faults/clear", async (c) => {
    await world().mendIt();
    return c.json(await world().view());
  });
  app.post("/api/demo/reset", async (c) => {
    await world().reset();
    return c.json(await world().view());
  });
}
