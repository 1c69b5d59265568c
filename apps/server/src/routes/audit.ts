import { omitUndefined, type AuditView } from "@bron/protocol";
import type { Runtime } from "@bron/runtime";
import type { On } from "../register-endpoint.ts";

export function addAuditRoutes(
  on: On,
  { runtime }: { readonly runtime: Pick<Runtime, "clientFor"> },
): void {
  on("GET /api/audit/export", async ({ caller, query, c }) => {
    const rows = runtime.clientFor(caller).auditRows(omitUndefined(query));
    const headers = {
      "content-type": "application/jsonl; charset=utf-8",
      "content-disposition": 'attachment; filename="bron-audit.jsonl"',
    };
    if (c.req.method === "HEAD") return c.body(null, 200, headers);
    // Reads the first row early, so that an immediate failure becomes a normal error response. A
    // later failure can only close the connection.
    const first = await rows.next();
    return c.body(streamOf(first, rows), 200, headers);
  });
}

/** Writes one line per row, and reads rows only as fast as the client does. */
function streamOf(
  first: IteratorResult<AuditView, void>,
  rows: AsyncGenerator<AuditView, void>,
): ReadableStream<Uint8Array> {
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
