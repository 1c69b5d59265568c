import { z } from "zod";
import { demoFaultSchema, demoViewSchema } from "../demo.ts";
import { emptyBodySchema, endpoints } from "./endpoint.ts";

const demo = { tag: "Demo", response: demoViewSchema } as const;

export const demoApi = endpoints({
  "GET /api/demo": {
    summary: "Get sandbox state (404 outside demo mode).",
    ...demo,
    scope: "read",
    query: z.object({ account: z.string().max(200).optional() }),
  },
  "POST /api/demo/faults": {
    summary: "Inject a fault.",
    ...demo,
    scope: "manage",
    body: z.strictObject({ fault: demoFaultSchema }),
  },
  "POST /api/demo/faults/clear": {
    summary: "Clear faults.",
    ...demo,
    scope: "manage",
    body: emptyBodySchema,
  },
  "POST /api/demo/reset": {
    summary: "Reset the sandbox.",
    ...demo,
    scope: "manage",
    body: emptyBodySchema,
  },
});
