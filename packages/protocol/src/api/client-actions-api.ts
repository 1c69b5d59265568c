import { z } from "zod";
import { clientActionViewSchema } from "../client-action.ts";
import { jsonSchema } from "../json.ts";
import { emptyBodySchema, endpoints, runItemsQuery, pageOf } from "./endpoint.ts";

const maxErrorCharacters = 2_000;

export const clientActionsApi = endpoints({
  "GET /api/client-actions": {
    summary: "List actions that other programs carry out, such as a page or an editor.",
    tag: "Client actions",
    scope: "read",
    query: z.object({
      ...runItemsQuery,
      /** Only actions that wait for a program. */
      open: z.stringbool().optional(),
    }),
    response: pageOf("actions", clientActionViewSchema, z.uuid()),
  },
  "POST /api/runs/:id/actions/:actionId/take": {
    summary:
      "Take an action before carrying it out. Returns a one-time secret, to one caller only. Repeat the request with the same Idempotency-Key to get it again.",
    tag: "Client actions",
    scope: "run",
    rate: "approve",
    body: emptyBodySchema,
    idempotent: true,
    response: z.object({ action: clientActionViewSchema, secret: z.string() }),
  },
  "POST /api/runs/:id/actions/:actionId/finish": {
    summary:
      "Finish an action, once, with its result, or with an error that says why nothing was done.",
    tag: "Client actions",
    scope: "run",
    rate: "approve",
    body: z
      .strictObject({
        secret: z.string().min(1).max(200),
        result: jsonSchema.optional(),
        error: z.string().trim().min(1).max(maxErrorCharacters).optional(),
      })
      .refine(
        ({ result, error }) => (result === undefined) !== (error === undefined),
        "Give either result or error.",
      ),
    response: clientActionViewSchema,
  },
});
