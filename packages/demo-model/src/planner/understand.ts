import { omitUndefined } from "@bron/protocol";
import { readExpression } from "./arithmetic.ts";
import type { ClauseContext } from "./clause-text.ts";
import { readClock } from "./clock-phrase.ts";
import { splitClauses } from "./clauses.ts";
import { readNoteList, readNoteRead, readNoteWrite } from "./note-phrases.ts";
import { readPost } from "./post-phrase.ts";
import { takeOutQuotes } from "./quotes.ts";
import { hasReference, previousMark } from "./reference.ts";
import { yieldsValue, type PlannedStep, type Step } from "./step.ts";

const politeStart =
  /^(?:(?:please|kindly|bron|now|then|also|next|first|second|third|finally|and|but|so|okay|ok|after that|afterwards|go ahead and|let's|can you|could you|would you|will you|(?:i want|i need|i would like|i'd like)(?: you)? to|use (?:the |your )?(?:calculator|clock|notes?)(?: tool)? (?:to|and))\b[,:]?\s+)+/i;
const politeEnd = /(?:,? (?:please|thanks|thank you|for me))?[\s.?!]*$/i;
const chatter =
  /^(?:(?:hi|hello|hey|thanks|thank you|thx|please|ok|okay|great|good (?:morning|afternoon|evening|day)|there|bron|very much|a lot|so much|and|again)[\s,.!]*)+$/i;

/** The limit counts characters outside quotations. Longer tasks would keep the server busy. */
const longestTask = 2_000;

/** Reads the steps of a task in order. A greeting has none. */
export function understand(task: string, hasEarlierResults: boolean): readonly PlannedStep[] {
  const { text, restore } = takeOutQuotes(task);
  if (text.length > longestTask)
    return [
      {
        step: {
          kind: "unclear",
          words: `${task.slice(0, 60)}…`,
          reason: "The task is too long for the demo model.",
        },
        clause: 0,
      },
    ];
  const readFreely = (clause: string) => readClause(clause, { restore, lastTitle: "any" });
  const clauses = splitClauses(text, {
    isUnderstood: (clause) => readFreely(clause) !== undefined,
    endsInText: (clause) =>
      readFreely(clause)?.some(({ kind }) => kind === "write" || kind === "post") ?? false,
  });

  const planned: PlannedStep[] = [];
  let lastTitle: string | undefined;
  for (const [index, clause] of clauses.entries()) {
    const steps = readClause(clause, { restore, ...omitUndefined({ lastTitle }) }) ?? [
      { kind: "unclear", words: restore(clause) } as const,
    ];
    for (const step of steps) {
      const canRefer =
        hasEarlierResults ||
        planned.some((earlier) => yieldsValue(earlier.step) || earlier.step.kind === "unclear");
      planned.push({
        step: canRefer ? step : withoutReference(step, restore(clause)),
        clause: index,
      });
      if (step.kind === "write" || step.kind === "read") lastTitle = step.title;
    }
  }
  return planned;
}

/** Returns undefined for a clause that matches no known step. */
function readClause(clause: string, context: ClauseContext): readonly Step[] | undefined {
  if (chatter.test(clause)) return [];
  const wish = clause
    .replace(politeStart, "")
    .replace(/^whats\b/i, "what's")
    .replace(/^(?=(?:a|another)(?: new)? note (?:titled|called|named)\b)/i, "write ");
  const question = wish.replace(politeEnd, "");
  return (
    readNoteList(question) ??
    readNoteWrite(wish, context)?.flatMap((step) => findOutFirst(step, context)) ??
    readPost(wish.replace(/[.?!]+$/, ""), context)?.flatMap((step) =>
      findOutFirst(step, context),
    ) ??
    readNoteRead(question, context) ??
    readClock(question) ??
    readCalculation(question, context)
  );
}

const somethingToFindOut = new RegExp(
  `^(?:${previousMark}|the (?:value|sum|product|difference|quotient|average|mean|current|time|date|local|square root)\\b)`,
  "i",
);

/** "Write the result of 6 * 7 into a note" needs another step first, to find the text. */
function findOutFirst(step: Step, context: ClauseContext): readonly Step[] {
  if ((step.kind !== "write" && step.kind !== "post") || !somethingToFindOut.test(step.text))
    return [step];
  const question = step.text.replace(new RegExp(`^${previousMark} (?:of|to|for) `), "");
  const found = readClock(question) ?? readCalculation(question, context);
  return found === undefined || question === previousMark
    ? [step]
    : [...found, { ...step, text: previousMark }];
}

function readCalculation(question: string, context: ClauseContext): readonly Step[] | undefined {
  const expression = readExpression(question);
  if (expression === undefined) return undefined;
  const words = context
    .restore(question)
    .replace(
      /^(?:(?:what(?:'s| is| are)|how much (?:is|are)|calculate|compute|work out|evaluate|solve|figure out|find|tell me|give me)\b:?\s+)+/i,
      "",
    )
    .replace(/[\s=]+$/, "");
  return [{ kind: "calculate", expression, words }];
}

function withoutReference(step: Step, words: string): Step {
  const text =
    step.kind === "calculate"
      ? step.expression
      : step.kind === "write" || step.kind === "post"
        ? step.text
        : "";
  return hasReference(text)
    ? { kind: "unclear", words, reason: "There is no earlier result it could refer to." }
    : step;
}
