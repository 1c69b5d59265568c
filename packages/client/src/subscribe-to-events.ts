import {
  partialTextSchema,
  isParked,
  isTerminal,
  type PartialText,
  type EventView,
  type RunStatus,
  type RunView,
} from "@bron/protocol";
import { ClientError } from "./client-error.ts";
import type { ClientTimes } from "./client-times.ts";
import { unreachable, type Connection } from "./connection.ts";
import type { Network } from "./network.ts";
import { readFrames } from "./read-frames.ts";
import type { ConnectionState } from "./connection-health.ts";
import { withReconnect } from "./with-reconnect.ts";

export interface SubscribeOptions {
  readonly afterSeq?: number;
  readonly signal?: AbortSignal;
  /** Also ends when the run is parked. */
  readonly untilParked?: boolean;
  /** Called at every change with the full text of the message that is streaming. */
  readonly onPartialText?: (partialText: PartialText) => void;
  /** Called at every change of state. The initial state is `live`. */
  readonly onConnection?: (state: ConnectionState) => void;
}

export interface SubscribeDeps {
  readonly connection: Connection;
  readonly times: ClientTimes;
  readonly network: Network;
}

type Piece = { readonly event: EventView } | { readonly partialText: PartialText };
/** Events that arrived together, or `ended` if there will be no more. */
type Pieces = readonly Piece[] | "ended";

/**
 * Yields the log after `afterSeq` and then live events, until the run ends or the signal aborts.
 * Each event is yielded once, in order and without gaps. It resumes a broken stream where it ended,
 * and waits for an unreachable server.
 */
export async function* subscribeToEvents(
  { connection, times, network }: SubscribeDeps,
  runId: string,
  options: SubscribeOptions = {},
): AsyncGenerator<EventView, void> {
  const {
    signal = new AbortController().signal,
    untilParked = false,
    onPartialText,
    onConnection,
  } = options;
  const path = `/api/runs/${encodeURIComponent(runId)}`;
  let cursor = options.afterSeq ?? 0;
  let status: RunStatus | undefined;

  const isWaiting = async () => {
    if (!untilParked || (status !== undefined && !isParked(status))) return false;
    const run = await connection.json<RunView>(path, { signal, repeatable: false });
    status = run.status;
    return isParked(run.status) && !run.runnable && run.lastSeq <= cursor;
  };

  yield* withReconnect(
    { times, network, signal, onConnection },
    async function* ({ mode, connected, progressed }) {
      const source =
        mode === "stream"
          ? readStream(connection, { path, cursor, signal, silenceMs: times.silenceMs })
          : readPage(connection, { path, cursor, signal });
      for await (const pieces of source) {
        connected();
        if (pieces === "ended") return "done";
        for (const piece of pieces) {
          if ("partialText" in piece) onPartialText?.(piece.partialText);
          else if (piece.event.seq === cursor + 1) {
            cursor = piece.event.seq;
            progressed();
            if (piece.event.type === "status") status = piece.event.payload.status;
            yield piece.event;
            if (piece.event.type === "status" && isTerminal(piece.event.payload.status))
              return "done";
          } else if (piece.event.seq > cursor) throw unreachable("An event is missing");
        }
        if (await isWaiting()) return "done";
      }
      return "again";
    },
  );
}

interface ReadPosition {
  readonly path: string;
  readonly cursor: number;
  readonly signal: AbortSignal;
}

async function* readStream(
  connection: Connection,
  { path, cursor, signal, silenceMs }: ReadPosition & { readonly silenceMs: number },
): AsyncGenerator<Pieces, void> {
  const response = await connection.open(`${path}/stream`, {
    headers: { accept: "text/event-stream", "last-event-id": String(cursor) },
    signal,
    repeatable: false,
  });
  if (response.status === 204) return yield "ended";
  if (
    !response.body ||
    !(response.headers.get("content-type") ?? "").startsWith("text/event-stream")
  ) {
    await response.body?.cancel();
    throw new ClientError("server_unreachable", "The server did not open an event stream.", {
      details: { status: 406 },
    });
  }
  try {
    for await (const frames of readFrames(response.body, silenceMs)) {
      yield frames.map(({ event, data }): Piece =>
        event === "answer"
          ? { partialText: partialTextSchema.parse(JSON.parse(data)) }
          : { event: JSON.parse(data) as EventView },
      );
    }
  } catch (error) {
    throw ClientError.is(error) ? error : unreachable(error);
  }
}

async function* readPage(
  connection: Connection,
  { path, cursor, signal }: ReadPosition,
): AsyncGenerator<Pieces, void> {
  for (let after = cursor; ;) {
    const { events } = await connection.json<{ events: EventView[] }>(
      `${path}/events?afterSeq=${after}`,
      { signal, repeatable: false },
    );
    const last = events.at(-1);
    if (!last) break;
    yield events.map((event) => ({ event }));
    after = last.seq;
  }
  const { status, lastSeq } = await connection.json<RunView>(path, { signal, repeatable: false });
  yield isTerminal(status) && lastSeq <= cursor ? "ended" : [];
}
