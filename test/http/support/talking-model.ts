import { omitUndefined } from "@bron/protocol";
import type { Script } from "@bron/demo-model";
import { turnAfter } from "../../crash/support/crash-script.ts";

/**
 * A model that writes much text and calls tools in between. Each attempt at the same turn has
 * different text.
 */
interface TalkingModel {
  readonly script: Script;
  /** All texts that it started for this task in this turn, counted from 0. */
  textsOf(task: string, turn: number): readonly string[];
}

/** The tools that it calls in each turn. After the last turn it is done. */
const work = [["read_fact", "read_fact"], ["slow_read"], ["read_fact", "slow_read"], ["read_fact"]];

export function createTalkingModel(): TalkingModel {
  const texts = new Map<string, string[]>();
  const textsOf = (task: string, turn: number) => texts.get(`${task}/${turn}`) ?? [];
  return {
    textsOf,
    script({ task, results }) {
      const turn = turnAfter(work, results.length);
      const before = textsOf(task, turn);
      const telling = before.length + 1;
      const text = Array.from(
        { length: 8 },
        (_, piece) => `Telling ${telling} of turn ${turn}, part ${piece}.`,
      ).join(" ");
      texts.set(`${task}/${turn}`, [...before, text]);
      const calls = work[turn]?.map((name) => ({
        name,
        args: { text: `${task} ${name} ${turn}` },
      }));
      return { thought: `Thinking in turn ${turn}`, text, ...omitUndefined({ calls }) };
    },
  };
}
