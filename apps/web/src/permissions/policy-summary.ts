import { trustLevels, type BronView, type PermissionsView, type RuleVerdict } from "@bron/protocol";
import { permissionsWords } from "../words/permissions.ts";
import { trustWords } from "../words/trust.ts";
import { scopePhrase } from "./scope-words.ts";

const words = permissionsWords.summary;

type Named = Pick<BronView, "id" | "name" | "trustLevel">;

/** One sentence for each trust level in use: which Brons may do what without asking. */
export function summary(brons: readonly Named[]): string[] {
  return trustLevels.flatMap((level) => {
    const names = brons.filter(({ trustLevel }) => trustLevel === level).map(({ name }) => name);
    return names.length === 0 ? [] : [words.byLevel[level](listed(names), names.length > 1)];
  });
}

/**
 * The steps in which the policy judges an effect, with the owner's settings for each. First match
 * wins.
 */
export function steps(
  { rules, allowed, grants }: Pick<PermissionsView, "rules" | "allowed" | "grants">,
  brons: readonly Named[],
  now: Date,
): { readonly rule: string; readonly now: string }[] {
  const nameOf = (id: string | null) =>
    id === null ? words.allBrons : (brons.find((bron) => bron.id === id)?.name ?? words.oneBron);
  const toolsWith = (verdict: RuleVerdict) =>
    rules
      .filter((rule) => rule.verdict === verdict)
      .map((rule) => words.toolOf(scopePhrase(rule), nameOf(rule.bronId)));
  const live = grants.filter(
    ({ revokedAt, expiresAt }) => revokedAt === null && Date.parse(expiresAt) > now.getTime(),
  );
  const listOrNone = (found: readonly string[]) =>
    found.length === 0 ? words.noRule : words.yourRules(listed(found));
  return [
    { rule: words.deny, now: listOrNone(toolsWith("deny")) },
    { rule: words.own, now: "" },
    { rule: words.floor, now: words.known(allowed.length, live.length) },
    { rule: words.ask, now: listOrNone(toolsWith("ask")) },
    { rule: words.allow, now: listOrNone(toolsWith("allow")) },
    { rule: words.server, now: "" },
    {
      rule: words.trust,
      now: listed(
        brons.map(({ name, trustLevel }) =>
          words.levelOf(name, trustWords.levels[trustLevel].name),
        ),
      ),
    },
  ];
}

function listed(items: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "conjunction" }).format(items);
}
