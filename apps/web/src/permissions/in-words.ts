import { trustLevels, type BronView, type PermissionsView, type RuleVerdict } from "@bron/protocol";
import { texts } from "../texts.ts";
import { toolInSentence } from "../words/tools.ts";

const words = texts.permissions.inWords;

type Named = Pick<BronView, "id" | "name" | "trustLevel">;

/** In a sentence for each trust level that somebody has: who may do what unasked. */
export function summary(brons: readonly Named[]): string[] {
  return trustLevels.flatMap((level) => {
    const names = brons.filter(({ trustLevel }) => trustLevel === level).map(({ name }) => name);
    return names.length === 0 ? [] : [words.byLevel[level](listed(names), names.length > 1)];
  });
}

/** The order in which an effect is judged, with what the owner has laid down at each step. The first that speaks decides. */
export function steps(
  { rules, allowed, grants }: Pick<PermissionsView, "rules" | "allowed" | "grants">,
  brons: readonly Named[],
  now: Date,
): { readonly rule: string; readonly now: string }[] {
  const nameOf = (id: string | null) =>
    id === null ? words.everyBron : (brons.find((bron) => bron.id === id)?.name ?? words.oneBron);
  const with_ = (verdict: RuleVerdict) =>
    rules
      .filter((rule) => rule.verdict === verdict)
      .map(({ tool, bronId }) => words.toolOf(toolInSentence(tool), nameOf(bronId)));
  const live = grants.filter(
    ({ revokedAt, expiresAt }) => revokedAt === null && Date.parse(expiresAt) > now.getTime(),
  );
  const or = (found: readonly string[]) =>
    found.length === 0 ? words.noRule : words.yours(listed(found));
  return [
    { rule: words.deny, now: or(with_("deny")) },
    { rule: words.own, now: "" },
    { rule: words.floor, now: words.familiar(allowed.length, live.length) },
    { rule: words.ask, now: or(with_("ask")) },
    { rule: words.allow, now: or(with_("allow")) },
    {
      rule: words.trust,
      now: listed(
        brons.map(({ name, trustLevel }) =>
          words.levelOf(name, texts.trust.levels[trustLevel].name),
        ),
      ),
    },
  ];
}

function listed(parts: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "conjunction" }).format(parts);
}
