import {
  expectedAnswer,
  isTerminal,
  readAnswer,
  type Answer,
  type NewEvent,
  type QuestionView,
  type RunStatus,
} from "@bron/protocol";
import { BronError, requestError } from "../errors.ts";

/** How a question is closed: by the owner, or by its expiry. */
export type QuestionClosing = Answer | "expired";

interface QuestionFacts {
  readonly question: Pick<QuestionView, "state" | "choices" | "schema" | "expiresAt">;
  readonly closing: QuestionClosing;
  readonly runStatus: RunStatus;
  /** By the clock of the store, in epoch milliseconds. */
  readonly now: number;
}

/** Throws unless the question can be closed in this way. */
export function checkQuestionClosing({ question, closing, runStatus, now }: QuestionFacts): void {
  if (question.state === "answered") throw requestError("conflict", { code: "question_answered" });
  const isDue = Date.parse(question.expiresAt) <= now;
  if (question.state !== "pending" || isTerminal(runStatus) || isDue !== (closing === "expired"))
    throw requestError("conflict", { code: "question_closed" });
  if (closing !== "expired") checkAnswer(question, closing);
}

function checkAnswer(
  { choices, schema }: Pick<QuestionView, "choices" | "schema">,
  answer: Answer,
): void {
  if ("choice" in answer) {
    if (!choices.includes(answer.choice))
      throw requestError("invalid_input", { code: "choice_unknown" });
  } else if (schema && readAnswer(schema, answer.typed) === undefined) {
    throw new BronError("invalid_input", `Type ${expectedAnswer(schema)}.`);
  }
}

/** The event that closes a question. */
export function questionClosingEvent(
  { id, actionId }: Pick<QuestionView, "id" | "actionId">,
  closing: QuestionClosing,
  ownerId: string,
): Extract<NewEvent, { type: "question" }> {
  const which = { questionId: id, actionId };
  return {
    type: "question",
    payload:
      closing === "expired"
        ? { ...which, state: "expired" }
        : { ...which, state: "answered", by: ownerId, ...closing },
  };
}
