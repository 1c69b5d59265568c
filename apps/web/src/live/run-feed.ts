import type { Client, ConnectionState } from "@bron/client";
import { isTerminal, type EventView, type PartialText } from "@bron/protocol";
import { readLog } from "./read-log.ts";
import { shareFeed, type FeedTabs } from "./shared-feed.ts";

type Item =
  | { readonly event: EventView }
  | { readonly partialText: PartialText }
  | { readonly connection: ConnectionState };

interface RunListener {
  readonly signal: AbortSignal;
  /** Called for each event of the log, once and in order. */
  onEvent(event: EventView): void;
  onPartialText(partialText: PartialText): void;
  onConnection(state: ConnectionState): void;
}

/**
 * Follows a run until it ends or the signal aborts. The log so far comes by plain requests, and new
 * events through the stream that all tabs share. Rejects with errors that a retry cannot fix.
 */
export async function subscribeToRun(
  {
    api,
    tabs,
  }: { readonly api: Pick<Client, "call" | "events">; readonly tabs: FeedTabs | undefined },
  runId: string,
  { signal, onEvent, onPartialText, onConnection }: RunListener,
): Promise<void> {
  const over = new AbortController();
  const ended = AbortSignal.any([signal, over.signal]);
  let cursor = 0;
  const deliver = (event: EventView) => {
    if (event.seq !== cursor + 1 || ended.aborted) return;
    cursor = event.seq;
    onEvent(event);
    if (event.type === "status" && isTerminal(event.payload.status)) over.abort();
  };
  let filling: Promise<void> | undefined;
  /** A failed request leaves the gap to the stream, which begins at the cursor. */
  const fill = () =>
    (filling ??= readLog(api, runId, cursor)
      .then(
        (events) => events.forEach(deliver),
        () => undefined,
      )
      .finally(() => (filling = undefined)));
  await shareFeed<Item>(tabs, {
    name: `bron-run-${runId}`,
    signal: ended,
    async read(tell) {
      await fill();
      for await (const event of api.events(runId, {
        afterSeq: cursor,
        signal: ended,
        onPartialText: (partialText) => tell({ partialText }),
        onConnection: (connection) => tell({ connection }),
      }))
        tell({ event });
    },
    onItem(item) {
      if ("partialText" in item) onPartialText(item.partialText);
      else if ("connection" in item) onConnection(item.connection);
      else if (item.event.seq > cursor + 1) void fill().then(() => deliver(item.event));
      else deliver(item.event);
    },
    onGap: () => void fill(),
  });
}
