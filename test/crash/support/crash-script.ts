import { reportOutcomeName } from "@bron/protocol";
import type { Script } from "@bron/demo-model";

/**
 * The model of the crash tests. It depends only on the task's first word and on the results so far,
 * so it continues correctly after any crash.
 */
export const crashScript: Script = ({ task, results }) => {
  const kind = task.trim().split(/\s+/)[0] ?? "";
  const steps = plans[kind] ?? [];
  const turn = turnAfter(steps, results.length);
  const calls = steps[turn];
  return calls
    ? {
        thought: `step ${turn}`,
        text: `Working on step ${turn}. `,
        calls: calls.map((name) => ({ name, args: { text: `${name} ${turn}` } })),
      }
    : {
        text: `All of ${kind} is done.`,
        calls: [{ name: reportOutcomeName, args: { outcome: "done" } }],
      };
};

const plans: Record<string, string[][]> = {
  everything: [
    ["read_fact", "read_fact"],
    ["count_once"],
    ["send_letter", "ring_bell"],
    ["unsure_letter"],
  ],
  letter: [["send_letter"]],
  sibling: [["send_letter", "slow_read"]],
  bell: [["ring_bell"]],
  reads: [["read_fact"], ["read_fact"], ["read_fact"]],
  slow: [["slow_read"], ["slow_read"]],
  long: [["long_read"]],
  count: [["count_once"], ["read_fact"]],
};

/**
 * Returns the turn, counted from 0, that follows after this many results. Turns of other runs in
 * the same thread do not count.
 */
export function turnAfter(steps: readonly (readonly string[])[], results: number): number {
  let left = results;
  const turn = steps.findIndex((calls) => (left -= calls.length) < 0);
  return turn === -1 ? steps.length : turn;
}
