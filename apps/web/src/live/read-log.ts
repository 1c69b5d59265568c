import type { Client } from "@bron/client";
import type { EventView } from "@bron/protocol";

/** Reads a log from after `afterSeq` to its end with plain requests, which need no stream. */
export async function readLog(
  api: Pick<Client, "call">,
  runId: string,
  afterSeq = 0,
): Promise<readonly EventView[]> {
  const events: EventView[] = [];
  for (;;) {
    const page = await api.call("GET /api/runs/:id/events", {
      params: { id: runId },
      query: { afterSeq: events.at(-1)?.seq ?? afterSeq, limit: 1_000 },
    });
    events.push(...(page.events as EventView[]));
    if (page.events.length === 0 || (events.at(-1)?.seq ?? 0) >= page.lastSeq) return events;
  }
}
