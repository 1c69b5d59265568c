import type { Risk } from "@bron/protocol";
import type { JudgeInput } from "../judge-input.ts";
import { distinct } from "./risk-sources.ts";

/**
 * People of another organization read a shared channel, so that private text goes there only with
 * an approval, even if the owner's words name the channel.
 */
export function sharedChannelRisks({ facts, labels }: JudgeInput): Risk[] {
  const sources = labels.untrusted.filter((source) => source.private);
  if (sources.length === 0) return [];
  return (facts.things ?? [])
    .filter(({ isShared }) => isShared === true)
    .map(({ title, id }) => ({
      kind: "channel",
      value: title || id,
      why: { code: "channel_shared", channel: title || id },
      from: distinct(sources),
      notes: [],
    }));
}
