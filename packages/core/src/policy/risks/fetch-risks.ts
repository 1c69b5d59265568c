import type { Risk } from "@bron/protocol";
import { compareWithAsks } from "../../intent/outside-ask.ts";
import { violated } from "../../intent/violated.ts";
import { callOf, type JudgeInput } from "../judge-input.ts";
import { siteOf } from "../text/normalize-url.ts";
import { hasPrivateText, sourcesOf } from "./risk-sources.ts";
import { ruleFor, targetGrantFor } from "../permissions/rules.ts";
import { keyOf } from "../run-labels.ts";

/** Links of a site that are opened without asking in one run. */
const maxFreeLinks = 20;

/**
 * Opening a page tells its site something, at least that it was opened. Once text of others is in
 * view, only a page is opened that the words ask for, or a link within its site. Once private text
 * is in view, no link is free, because choosing among prepared links can spell out a secret. What the
 * words forbid is never free.
 */
export function fetchRisks(input: JudgeInput): Risk[] {
  const { facts, labels, intent = "unread" } = input;
  const isPrivate = hasPrivateText(labels);
  const isNamedByRule = mayContact(input);
  const urls = facts.things ?? [];
  const areFree = urls.length > 0 && urls.every(({ id }) => isFreeLink(input, id));
  const isFree = labels.untrusted.length === 0 || (!isPrivate && areFree) || isNamedByRule;
  if (intent === "unread" || facts.things === undefined) return isFree ? [] : risksOf(input);
  // Opening a page again tells its site nothing new, unless private text has been read since.
  const asked = isPrivate ? intent : { ...intent, used: intent.crossedOut };
  const compared = compareWithAsks(facts, asked, () => false);
  const [host = ""] = facts.hosts;
  const forbidden = violated(facts, intent, compared).map(({ words }): Risk => ({
    kind: "warning",
    value: facts.hosts.join(", "),
    why: { code: "forbidden_by_words", words },
    ...sourcesOf(labels, "host", host),
    notes: [],
  }));
  const isInside = compared.ask !== undefined && compared.outside.things.length === 0;
  return isFree || isInside ? forbidden : [...forbidden, ...risksOf(input)];
}

function risksOf({ facts, labels }: JudgeInput): Risk[] {
  return facts.hosts.map((host) => ({
    kind: "host",
    value: host,
    why: { code: "site_not_mentioned", host },
    ...sourcesOf(labels, "host", host),
    notes: [],
  }));
}

/**
 * Whether a rule or a grant that names the hosts lets the call contact them. Only a grant can say
 * that they may learn private text.
 */
function mayContact(input: JudgeInput): boolean {
  const { labels, rules } = input;
  const call = callOf(input);
  const isPrivate = hasPrivateText(labels);
  const rule = isPrivate ? undefined : ruleFor(rules, call);
  const hostGrants = rules.grants.filter(
    ({ host, includesPrivate }) => typeof host === "string" && (includesPrivate || !isPrivate),
  );
  return (
    (rule?.verdict === "allow" && typeof rule.host === "string") ||
    targetGrantFor({ grants: hostGrants }, call) !== undefined
  );
}

/** Whether a page of the same site, which was opened before, has this link. */
function isFreeLink(
  { labels: { seen, untrusted }, openPages = 0 }: JudgeInput,
  url: string,
): boolean {
  const pages = untrusted.filter(({ origin }) => origin === "web");
  const from = seen.get(keyOf("url", url)) ?? [];
  return (
    pages.length + openPages <= maxFreeLinks &&
    from.some(({ site }) => site !== undefined && site === siteOf(url))
  );
}
