import type { NewEvent, RunEvent } from "@bron/protocol";
import { canonicalJson } from "../policy/canonical-json.ts";
import type { AppendRequest, AppendResult, Clock, RunLog } from "../ports.ts";

const maxFailures = 12;

/**
 * A database that fails in the middle leaves open whether it committed: the log itself tells. What is in flight keeps its
 * result meanwhile; the signal, and with it the lease, decides how long to try. Throws when it fails for another reason.
 */
export async function appendSurely(log: RunLog, clock: Clock, request: AppendRequest & { readonly drawnBefore: number }, signal: AbortSignal): Promise<AppendResult | "given_up"> {
  const { drawnBefore, ...append } = request;
  for (let failures = 0; ; ) {
    try {
      const found = failures > 0 ? await log.read(append.lease, append.seen) : [];
      if (!isOurs(found, append.events)) return await log.append(append);
      // Ours, and committed. At least what was needed has been drawn; the row knows the rest and returns it at the end.
      return { ok: true, lastSeq: append.seen + append.events.length, createdAt: found[0]?.createdAt ?? "", drawnMicrousd: drawnBefore + (append.draw?.needMicrousd ?? 0) };
    } catch (error) {
      if (++failures >= maxFailures) throw error;
      await clock.sleep(Math.min(500, 50 * 2 ** failures), signal);
      if (signal.aborted) return "given_up";
    }
  }
}

function isOurs(found: readonly RunEvent[], events: readonly NewEvent[]): boolean {
  if (events.length === 0 || found.length < events.length) return false;
  return events.every((event, index) => found[index]?.type === event.type && canonicalJson(found[index].payload) === canonicalJson(event.payload));
}
