import type { Script } from "@bron/world";
import { turnAfter } from "../../crash/support/crash-script.ts";

/** A model that says much and works in between; what it says when it is asked again has other words. */
export interface TalkingModel {
  readonly script: Script;
  /** Everything that it began to say on this task in this turn, from 0. */
  said(task: string, turn: number): readonly string[];
}

/** The tools that it calls in each turn; in the one after the last it is done. */
const work = [["read_fact", "read_fact"], ["slow_read"], ["read_fact", "slow_read"], ["read_fact"]];

export function createTalkingModel(): TalkingModel {
  const texts = new Map<string, string[]>();
  const said = (task: string, turn: number) => texts.get(`${task}/${turn}`) ?? [];
  return {
    said,
    script({ task, results }) {
      const turn = turnAfter(work, results.length);
      const before = said(task, turn);
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
      return { thought: `Thinking in turn ${turn}`, text, ...(calls ? { calls } : {}) };
    },
  };
}
