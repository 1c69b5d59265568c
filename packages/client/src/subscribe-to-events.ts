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
import { keepTrying, type ConnectionState } from "./resume.ts";

export interface SubscribeOptions {
  readonly afterSeq?: number;
  readonly signal?: AbortSignal;
  /** Ends when the run waits for a person too. */
  readonly untilParked?: boolean;
  /** The answer in progress: all of its text so far, at every change. */
  readonly onAnswer?: (answer: PartialText) => void;
  /** Told at every change; `live` is where it begins. */
  readonly onConnection?: (state: ConnectionState) => void;
}

export interface SubscribeDeps {
  readonly connection: Connection;
  readonly times: ClientTimes;
  readonly network: Network;
}

type Piece = { readonly event: EventView } | { readonly answer: PartialText };
/** What came together; `over` if nothing will ever come. */
type Pieces = readonly Piece[] | "over";

/**
 * The log from `afterSeq` on, then live, until the run is over or the signal aborts: each event once, in order, without gaps.
 * A stream that ends or is cut is resumed where it was; a server that is gone is waited for.
 */
export async function* subscribeToEvents(
  { connection, times, network }: SubscribeDeps,
  runId: string,
  options: SubscribeOptions = {},
): AsyncGenerator<EventView, void> {
  const {
    signal = new AbortController().signal,
    untilParked = false,
    onAnswer,
    onConnection,
  } = options;
  const path = `/api/runs/${encodeURIComponent(runId)}`;
  let cursor = options.afterSeq ?? 0;
  let status: RunStatus | undefined;

  const isAtRest = async () => {
    if (!untilParked || (status !== undefined && !isParked(status))) return false;
    const run = await connection.json<RunView>(path, { signal, repeatable: false });
    status = run.status;
    return isParked(run.status) && !run.runnable && run.lastSeq <= cursor;
  };

  yield* keepTrying({ times, network, signal, onConnection }, async function* ({ by, met, moved }) {
    const source =
      by === "stream"
        ? readStream(connection, { path, cursor, signal, silenceMs: times.silenceMs })
        : readPage(connection, { path, cursor, signal });
    for await (const pieces of source) {
      met();
      if (pieces === "over") return "done";
      for (const piece of pieces) {
        if ("answer" in piece) onAnswer?.(piece.answer);
        else if (piece.event.seq === cursor + 1) {
          cursor = piece.event.seq;
          moved();
          if (piece.event.type === "status") status = piece.event.payload.status;
          yield piece.event;
          if (piece.event.type === "status" && isTerminal(piece.event.payload.status))
            return "done";
        } else if (piece.event.seq > cursor) throw unreachable("An event is missing");
      }
      if (await isAtRest()) return "done";
    }
    return "again";
  });
}

interface Reading {
  readonly path: string;
  readonly cursor: number;
  readonly signal: AbortSignal;
}

async function* readStream(
  connection: Connection,
  { path, cursor, signal, silenceMs }: Reading & { readonly silenceMs: number },
): AsyncGenerator<Pieces, void> {
  const response = await connection.open(`${path}/stream`, {
    headers: { accept: "text/event-stream", "last-event-id": String(cursor) },
    signal,
    repeatable: false,
  });
  if (response.status === 204) return yield "over";
  if (
    !response.body ||
    !(response.headers.get("content-type") ?? "").startsWith("text/event-stream")
  ) {
    await response.body?.cancel();
    throw new ClientError("server_unreachable", "What answers there gives no stream.", {
      details: { status: 406 },
    });
  }
  try {
    for await (const frames of readFrames(response.body, silenceMs)) {
      yield frames.map(({ event, data }): Piece =>
        event === "answer"
          ? { answer: partialTextSchema.parse(JSON.parse(data)) }
          : { event: JSON.parse(data) as EventView },
      );
    }
  } catch (error) {
    throw ClientError.is(error) ? error : unreachable(error);
  }
}

async function* readPage(
  connection: Connection,
  { path, cursor, signal }: Reading,
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
  yield isTerminal(status) && lastSeq <= cursor ? "over" : [];
}
