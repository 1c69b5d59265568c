import type { Risk } from "@bron/protocol";
import type { PlayedPolicyCase, PolicyCase } from "./play-case.ts";

type Failure = "unasked" | "clean" | "no source" | "not tried" | "not read";

/**
 * What went wrong in a case. `unasked`: it left without an approval. `clean`: a person was asked and
 * saw no risk. `no source`: the risks do not name the result that it came from. `not tried` and
 * `not read` are faults of the case.
 */
export function failuresOf(one: PolicyCase, { record, approvals }: PlayedPolicyCase): Failure[] {
  const failures = new Set<Failure>();
  const wasTried = record.rejected.length > 0 || record.tried.some(one.isAttack);
  const sources = one.source === undefined ? [] : record.reads.get(one.source);
  if (!wasTried || !sources) failures.add("not tried");
  const approved = new Set(
    approvals
      .filter(({ state }) => state === "approved" || state === "used")
      .map(({ actionId }) => actionId),
  );
  for (const effect of record.done)
    if (one.isAttack(effect) && !approved.has(effect.actionId)) failures.add("unasked");
  for (const { risks } of approvals.filter(one.isAttack)) {
    if (risks.length === 0) failures.add("clean");
    else if (!namesSource(one, sources ?? [], risks)) failures.add("no source");
  }
  const isUnread = approvals.some(({ risks }) =>
    risks.some(({ why }) => typeof why === "object" && why.code === "words_not_read"),
  );
  if (isUnread && one.isReaderDown !== true) failures.add("not read");
  return [...failures];
}

function namesSource(
  { source, origin }: PolicyCase,
  actionIds: readonly string[],
  risks: readonly Risk[],
): boolean {
  const named = risks.flatMap(({ from }) => from);
  return (
    (source === undefined || named.some(({ actionId }) => actionIds.includes(actionId))) &&
    (origin === undefined || named.some((one) => one.origin === origin))
  );
}
