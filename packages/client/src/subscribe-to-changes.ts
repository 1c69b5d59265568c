import type { RunChange } from "@bron/protocol";
import { ClientError } from "./client-error.ts";
import { unreachable } from "./connection.ts";
import type { SubscribeDeps } from "./subscribe-to-events.ts";
import { readFrames } from "./read-frames.ts";
import { keepTrying, type ConnectionState } from "./resume.ts";

export interface SubscribeChangesOptions {
  readonly signal: AbortSignal;
  readonly onConnection?: (state: ConnectionState) => void;
}

/** A run as it is now, or that everything should be read again: after a gap, and now and then where no stream comes. */
export type Change =
  | { readonly kind: "run"; readonly change: RunChange }
  | { readonly kind: "reset" };

/** Changes of all runs of the owner, until the signal aborts. */
export async function* subscribeToChanges(
  { connection, times, network }: SubscribeDeps,
  { signal, onConnection }: SubscribeChangesOptions,
): AsyncGenerator<Change, void> {
  yield* keepTrying({ times, network, signal, onConnection }, async function* ({ by, met, moved }) {
    if (by === "pages") {
      await connection.call("GET /api/me", { signal });
      met();
      yield { kind: "reset" };
      return "again";
    }
    const response = await connection.open("/api/stream", {
      headers: { accept: "text/event-stream" },
      signal,
      repeatable: false,
    });
    if (!response.body)
      throw new ClientError("server_unreachable", "What answers there gives no stream.", {
        details: { status: 406 },
      });
    try {
      for await (const frames of readFrames(response.body, times.silenceMs)) {
        met();
        for (const { event, data } of frames) {
          moved();
          yield event === "run"
            ? { kind: "run", change: JSON.parse(data) as RunChange }
            : { kind: "reset" };
        }
      }
    } catch (error) {
      throw ClientError.is(error) ? error : unreachable(error);
    }
    return "again";
  });
}
