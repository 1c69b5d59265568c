import { omitUndefined, type Risk, type RiskSource } from "@bron/protocol";
import { canonicalJson } from "../canonical-json.ts";
import { keyOf, type RunLabels, type SeenKind, type Source } from "../run-labels.ts";

/**
 * Where a value was seen. A value that is in no result may be made of any of them, so all of them
 * are named.
 */
export function sourcesOf(
  { seen, untrusted }: RunLabels,
  kind: SeenKind,
  value: string,
): Pick<Risk, "from" | "found"> {
  const found = seen.get(keyOf(kind, value)) ?? [];
  return found.length > 0
    ? { from: distinct(found), found: true }
    : { from: distinct(untrusted), found: false };
}

/** Everything that may have led to a decision of the model. */
export function everythingRead({
  untrusted,
}: Pick<RunLabels, "untrusted">): ReturnType<typeof sourcesOf> {
  return { from: distinct(untrusted), found: false };
}

/** One judgment names the same list for each of its risks, and labels never change. */
const distinctBySources = new WeakMap<readonly Source[], readonly RiskSource[]>();

/** Each source once, the newest result first. The parts of a result keep their order. */
export function distinct(sources: readonly Source[]): readonly RiskSource[] {
  const known = distinctBySources.get(sources);
  if (known) return known;
  const computed = computeDistinct(sources);
  distinctBySources.set(sources, computed);
  return computed;
}

function computeDistinct(sources: readonly Source[]): readonly RiskSource[] {
  const results = Map.groupBy(sources, ({ actionId, runId }) => `${runId} ${actionId}`);
  return [...results.values()].toReversed().flatMap((parts) => {
    const shown = parts.map(toRiskSource);
    // Only parts of the same result can be equal, and most results have one part.
    return shown.length === 1
      ? shown
      : [...new Map(shown.map((source) => [canonicalJson(source), source])).values()];
  });
}

function toRiskSource({ origin, tool, actionId, runId, item }: Source): RiskSource {
  return { origin, tool, actionId, ...omitUndefined({ runId, item }) };
}

export function hasPrivateText({ untrusted }: RunLabels): boolean {
  return untrusted.some((source) => source.private);
}
