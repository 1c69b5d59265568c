import type { UsageView } from "@bron/protocol";
import { usageWords } from "../words/usage.ts";
import { formatCount } from "./amounts.ts";
import type { Day, Series } from "./day-chart.tsx";

type Counts = Omit<Day, "day">;
type Outcome = keyof typeof usageWords.outcomes;

/** Runs of a day by how they went. Their sum is `runs`. */
const countOf: Readonly<Record<Outcome, (counts: Counts) => number>> = {
  succeeded: ({ succeeded }) => succeeded,
  inPart: ({ inPart }) => inPart,
  couldNot: ({ couldNot }) => couldNot,
  needsAnswer: ({ needsAnswer }) => needsAnswer,
  deniedRuns: ({ deniedRuns }) => deniedRuns,
  failed: ({ failed }) => failed,
  canceled: ({ canceled }) => canceled,
  open: ({ runs, succeeded, inPart, couldNot, needsAnswer, deniedRuns, failed, canceled }) =>
    runs - succeeded - inPart - couldNot - needsAnswer - deniedRuns - failed - canceled,
};

/** Green went well, red did not, gray was your wish, and blue is not over. */
const colors: Readonly<Record<Outcome, Series["color"]>> = {
  succeeded: "good",
  inPart: "good-light",
  couldNot: "bad-light",
  failed: "bad",
  deniedRuns: "quiet",
  canceled: "quiet-light",
  needsAnswer: "accent-light",
  open: "accent",
};

export const outcomeSeries: readonly Series[] = (Object.keys(colors) as Outcome[]).map((name) => ({
  name: usageWords.series[name],
  color: colors[name],
  of: countOf[name],
}));

/** "12 done, 2 partly done, 1 couldn't do it". Without outcomes that no task has. */
export function outcomesLine(total: UsageView["total"]): string {
  return (Object.keys(countOf) as Outcome[])
    .filter((name) => countOf[name](total) > 0)
    .map((name) => usageWords.outcome(formatCount(countOf[name](total)), usageWords.outcomes[name]))
    .join(", ");
}
