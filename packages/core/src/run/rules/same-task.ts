import type { RunView } from "@bron/protocol";
import { cleanText } from "../../context/clean-text.ts";
import type { NewRun } from "../../ports/runs/runs.ts";

/** What a request is compared with: the run that has its idempotency key, and that run's uploads. */
interface KeyedRun extends Pick<
  RunView,
  "prompt" | "bronId" | "threadId" | "retryOf" | "parentRunId"
> {
  readonly uploadIds: readonly string[];
  readonly context: readonly string[];
}

/**
 * Whether a request with a used idempotency key asks for the same task: the same prompt, context,
 * Bron, thread, files, retried run and parent. A Bron or thread that the request does not name is the same.
 */
export function isSameTask(existing: KeyedRun, { input, retry, parent }: NewRun): boolean {
  const { prompt, bronId, threadId, uploadIds = [], context = [] } = input;
  return (
    existing.prompt === cleanText(prompt) &&
    existing.context.length === context.length &&
    context.every((text, index) => existing.context[index] === cleanText(text)) &&
    (bronId === undefined || existing.bronId === bronId) &&
    (threadId === undefined || existing.threadId === threadId) &&
    existing.retryOf === (retry?.runId ?? null) &&
    existing.parentRunId === (parent?.runId ?? null) &&
    uploadIds.every((id) => existing.uploadIds.includes(id.toLowerCase()))
  );
}
