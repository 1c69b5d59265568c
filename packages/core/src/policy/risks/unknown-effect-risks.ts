import type { Risk } from "@bron/protocol";
import { targetsOf } from "../effect-facts.ts";
import { notInWords } from "./intent-risks.ts";
import { callOf, type JudgeInput } from "../judge-input.ts";
import type { OwnerWords } from "../owner-words/named-by-owner.ts";
import { recipientRisk } from "./recipient-risk.ts";
import { everythingRead } from "./risk-sources.ts";
import { ruleFor, targetGrantFor } from "../permissions/rules.ts";
import type { Source } from "../run-labels.ts";
import { serverReader } from "../server-reader.ts";

/** The owner's words cannot ask for such an effect, and it may reach anyone. */
export function unknownEffectRisks(input: JudgeInput, words: OwnerWords): Risk[] {
  const { tool, facts } = input;
  const untrusted = unknownToServer(input);
  if (untrusted.length === 0) return [];
  const privateSources = untrusted.filter((source) => source.private);
  return [
    {
      kind: "tool",
      value: tool,
      why: { code: "decided_after_reading" },
      ...everythingRead({ untrusted }),
      notes: [],
    },
    ...(privateSources.length === 0
      ? []
      : [
          {
            kind: "channel",
            value: tool,
            why: { code: "visible_to_others" },
            ...everythingRead({ untrusted: privateSources }),
            notes: [],
          } as const,
        ]),
    ...notInWords(facts.recipients, words).map((recipient) =>
      recipientRisk(recipient, input, words),
    ),
  ];
}

/**
 * What the run has read, without the results of the server that the tool came from. A rule or grant
 * for the server lets it use what it returned itself.
 */
function unknownToServer(input: JudgeInput): readonly Source[] {
  const { facts, labels, rules } = input;
  const [server] = targetsOf(facts, "server");
  const call = callOf(input);
  const isAllowed =
    ruleFor(rules, call)?.verdict === "allow" || targetGrantFor(rules, call) !== undefined;
  if (!server || !isAllowed) return labels.untrusted;
  const reader = serverReader(server.server);
  return labels.untrusted.filter(({ readers }) => !readers.includes(reader));
}
