import { BronError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import { waitFinished } from "../run/wait-finished.ts";

type Ended<T> =
  | { kind: "value"; value: T }
  | { kind: "error"; error: unknown }
  | { kind: "timeout" }
  | { kind: "canceled" };

/** Ends at the time limit or when `cancel` aborts, even if the callee ignores its signal. */
export async function withTimeLimit<T>(
  start: (signal: AbortSignal) => Promise<T>,
  cancel: AbortSignal,
  clock: Clock,
  timeoutMs: number,
): Promise<Ended<T>> {
  const controller = new AbortController();
  const done = new AbortController();
  const canceled = Promise.withResolvers<Ended<T>>();
  const onCancel = () => {
    controller.abort(cancel.reason);
    canceled.resolve({ kind: "canceled" });
  };
  cancel.addEventListener("abort", onCancel, { once: true });
  if (cancel.aborted) onCancel();
  const timeout = clock.sleep(timeoutMs, done.signal).then((): Ended<T> => {
    if (!done.signal.aborted)
      controller.abort(new BronError("tool_timeout", `No response within ${timeoutMs} ms`));
    return { kind: "timeout" };
  });
  try {
    const work = cancel.aborted ? canceled.promise : call(start, controller.signal);
    return await Promise.race([work, timeout, canceled.promise]);
  } finally {
    done.abort(waitFinished);
    cancel.removeEventListener("abort", onCancel);
  }
}

async function call<T>(
  start: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<Ended<T>> {
  try {
    return { kind: "value", value: await start(signal) };
  } catch (error) {
    return { kind: "error", error };
  }
}
