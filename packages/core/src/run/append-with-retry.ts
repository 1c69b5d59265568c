import type { NewEvent, RunEvent } from "@bron/protocol";
import { canonicalJson } from "../policy/canonical-json.ts";
import type { Clock } from "../ports/clock.ts";
import type { AppendRequest, AppendResult, RunLog } from "../ports/runs/run-log.ts";
import { withRetry } from "./with-retry.ts";

/**
 * Appends, and retries when the database fails. A failure leaves open whether the append was
 * committed, so a retry reads the log first.
 */
export async function appendWithRetry(
  log: RunLog,
  clock: Clock,
  request: AppendRequest &
    Pick<Extract<AppendResult, { ok: true }>, "ownerCapMicrousd"> & {
      readonly drawnBefore: number;
    },
  signal: AbortSignal,
): Promise<AppendResult | "gave_up"> {
  const { drawnBefore, ownerCapMicrousd, ...append } = request;
  return await withRetry(clock, signal, async (failures): Promise<AppendResult> => {
    const found = failures > 0 ? await log.read(append.lease, append.seen) : [];
    if (!isOurs(found, append.events)) return await log.append(append);
    // Our append was committed. At least the needed amount was drawn; the row holds the exact
    // amount, and the end of the run settles it.
    return {
      ok: true,
      lastSeq: append.seen + append.events.length,
      createdAt: found[0]?.createdAt ?? "",
      drawnMicrousd: drawnBefore + (append.draw?.needMicrousd ?? 0),
      ownerCapMicrousd,
    };
  });
}

function isOurs(found: readonly RunEvent[], events: readonly NewEvent[]): boolean {
  if (events.length === 0 || found.length < events.length) return false;
  return events.every(
    (event, index) =>
      found[index]?.type === event.type &&
      canonicalJson(found[index].payload) === canonicalJson(event.payload),
  );
}
