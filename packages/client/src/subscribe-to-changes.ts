import type { RunChange } from "@bron/protocol";
import { ClientError } from "./client-error.ts";
import { unreachable } from "./connection.ts";
import type { SubscribeDeps } from "./subscribe-to-events.ts";
import { readFrames } from "./read-frames.ts";
import type { ConnectionState } from "./connection-health.ts";
import { withReconnect } from "./with-reconnect.ts";

export interface SubscribeChangesOptions {
  readonly signal: AbortSignal;
  readonly onConnection?: (state: ConnectionState) => void;
}

/**
 * `run` carries the updated run. `reset` asks the consumer to refetch everything. It is sent after
 * a gap, and regularly while polling.
 */
export type Change =
  | { readonly kind: "run"; readonly change: RunChange }
  | { readonly kind: "reset" };

/** Yields changes of all runs of the owner until the signal aborts. */
export async function* subscribeToChanges(
  { connection, times, network }: SubscribeDeps,
  { signal, onConnection }: SubscribeChangesOptions,
): AsyncGenerator<Change, void> {
  yield* withReconnect(
    { times, network, signal, onConnection },
    async function* ({ mode, connected, progressed }) {
      if (mode === "polling") {
        await connection.call("GET /api/me", { signal });
        connected();
        yield { kind: "reset" };
        return "again";
      }
      const response = await connection.open("/api/stream", {
        headers: { accept: "text/event-stream" },
        signal,
        repeatable: false,
      });
      if (!response.body)
        throw new ClientError("server_unreachable", "The server did not open an event stream.", {
          details: { status: 406 },
        });
      try {
        for await (const frames of readFrames(response.body, times.silenceMs)) {
          connected();
          for (const { event, data } of frames) {
            progressed();
            yield event === "run"
              ? { kind: "run", change: JSON.parse(data) as RunChange }
              : { kind: "reset" };
          }
        }
      } catch (error) {
        throw ClientError.is(error) ? error : unreachable(error);
      }
      return "again";
    },
  );
}
