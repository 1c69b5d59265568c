import type { EventView } from "@bron/protocol";
import { api } from "../api.ts";

/** Reads a whole log with plain requests, which need no stream. */
export async function readLog(runId: string): Promise<readonly EventView[]> {
  const events: EventView[] = [];
  for (;;) {
    const page = await api.call("GET /api/runs/:id/events", {
      params: { id: runId },
      query: { afterSeq: events.at(-1)?.seq ?? 0, limit: 1_000 },
    });
    events.push(...(page.events as EventView[]));
    if (page.events.length === 0 || (events.at(-1)?.seq ?? 0) >= page.lastSeq) return events;
  }
}
