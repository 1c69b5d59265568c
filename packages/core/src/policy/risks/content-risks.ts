import type { Risk } from "@bron/protocol";
import { attachmentRisks } from "./attachment-risks.ts";
import { compareWithWords } from "./compare-with-words.ts";
import { contentOfOwner } from "./content-of-owner.ts";
import type { JudgeInput } from "../judge-input.ts";
import { textOf } from "../effect-facts.ts";
import { endsLikeFile, hostsOfLinks } from "../text/linked-hosts.ts";
import { linkTails } from "../text/link-tails.ts";
import type { OwnerWords } from "../owner-words/named-by-owner.ts";
import { normalizeAddress } from "../text/names.ts";
import { sourcesOf } from "./risk-sources.ts";

/** Links, values and files in an effect that untrusted text may have chosen. */
export function contentRisks(input: JudgeInput, words: OwnerWords): Risk[] {
  if (input.labels.untrusted.length === 0) return [];
  const compared = compareWithWords(input);
  const chosen = contentOfOwner(input.facts, compared);
  return [
    ...hostRisks(input, words).filter(({ value }) => !chosen.hosts.includes(value)),
    ...valueRisks(input, words).filter(({ value }) => !chosen.values.includes(value)),
    ...attachmentRisks(input, { ask: compared?.ask, chosenFiles: chosen.files }),
  ];
}

function hostRisks({ facts, labels, rules }: JudgeInput, words: OwnerWords): Risk[] {
  const text = textOf(facts);
  const attached = new Set(facts.attachments.map(({ filename }) => filename.toLowerCase()));
  return facts.hosts.flatMap((host): Risk[] => {
    if (attached.has(host) && isFileName(host, text)) return [];
    const isTrustedHost = [...rules.domains].some(
      (domain) => host === domain || host.endsWith(`.${domain}`),
    );
    if (isTrustedHost || (words.hasHost(host) && words.hasLinks(host, text))) return [];
    return [
      {
        kind: "host",
        value: host,
        why: { code: "link_not_mentioned", host },
        ...sourcesOf(labels, "host", host),
        notes: [],
      },
    ];
  });
}

/** Whether the text has the name of a file and no link to a site that is called so. */
function isFileName(name: string, text: string): boolean {
  const isLink =
    hostsOfLinks(text.toLowerCase()).includes(name) ||
    [...linkTails(name, text).decoded].some((tail) => tail !== "");
  return endsLikeFile(name) && !isLink;
}

/**
 * Addresses, accounts and the like in the content. The owner's own address and those of the
 * recipients are known to its readers.
 */
function valueRisks({ facts, labels }: JudgeInput, words: OwnerWords): Risk[] {
  const known = new Set(
    [facts.account, ...facts.recipients.map(({ address }) => address)].map(normalizeAddress),
  );
  return (facts.values ?? [])
    .filter((value) => !known.has(value) && !words.hasValue(value))
    .map((value): Risk => ({
      kind: "value",
      value,
      why: { code: "value_not_mentioned", value },
      ...sourcesOf(labels, "value", value),
      notes: [],
    }));
}
