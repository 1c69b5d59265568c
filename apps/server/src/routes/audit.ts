import { auditFilterSchema, type AuditView } from "@bron/protocol";
import type { Bron } from "bron";
import type { Hono } from "hono";
import { z } from "zod";
import type { DoorEnv } from "../gate.ts";

export interface AuditRoutesParts {
  readonly bron: Pick<Bron, "audit">;
  readonly ownerId: string;
}

const filterSchema = z.object({ runId: z.uuid().optional(), what: auditFilterSchema.optional() });
const pageSchema = filterSchema.extend({ before: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(), limit: z.coerce.number().int().min(1).max(200).default(50) });

export function addAuditRoutes(app: Hono<DoorEnv>, { bron, ownerId }: AuditRoutesParts): void {
  app.get("/api/audit", async (c) => {
    const { limit, ...asked } = pageSchema.parse(c.req.query());
    const audit = await bron.audit.page(ownerId, { limit, ...given(asked) });
    return c.json({ audit, next: audit.length === limit ? (audit.at(-1)?.id ?? null) : null });
  });

  app.get("/api/audit/export", async (c) => {
    const rows = bron.audit.all(ownerId, given(filterSchema.parse(c.req.query())));
    const headers = { "content-type": "application/jsonl; charset=utf-8", "content-disposition": 'attachment; filename="bron-audit.jsonl"' };
    if (c.req.method === "HEAD") return c.body(null, 200, headers);
    // What fails at once is answered as any other error; later there is only the end of the connection.
    const first = await rows.next();
    return c.body(streamOf(first, rows), 200, headers);
  });
}

/** A line for each row, read no faster than they are taken. */
function streamOf(first: IteratorResult<AuditView, void>, rows: AsyncGenerator<AuditView, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: IteratorResult<AuditView, void> | undefined = first;
  return new ReadableStream({
    async pull(controller) {
      const row = next ?? (await rows.next());
      next = undefined;
      if (row.done === true) controller.close();
      else controller.enqueue(encoder.encode(`${JSON.stringify(row.value)}\n`));
    },
    cancel: async () => void (await rows.return()),
  });
}

type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the names that nobody gave. */
function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
}
