import {
  BronError,
  checkQuestionClosing,
  questionClosingEvent,
  type ListQuestions,
  type QuestionClosing,
  type Questions,
} from "@bron/core";
import { isTerminal, type QuestionView } from "@bron/protocol";
import { filterList } from "./filter-list.ts";
import { appendAndWake } from "./memory-appends.ts";
import type { MemoryRun } from "./memory-run.ts";
import { runsOf, type MemoryState } from "./memory-state.ts";

export function memoryQuestions(state: MemoryState): Questions {
  return {
    get: async (ownerId, questionId) => find(state, ownerId, questionId)?.question,
    list: async (ownerId, options) =>
      listQuestions(state, ownerId, options).slice(0, options.limit ?? 500),
    answer: async (ownerId, questionId, answer) => close(state, { ownerId, questionId }, answer),
    async expireDue() {
      const due = [...state.runs.values()]
        .filter(({ view }) => !isTerminal(view.status))
        .flatMap(({ view: { ownerId }, questions }) =>
          [...questions.values()]
            .filter(
              ({ state: now, expiresAt }) =>
                now === "pending" && Date.parse(expiresAt) <= state.now(),
            )
            .map(({ id }) => ({ ownerId, questionId: id })),
        );
      for (const question of due) close(state, question, "expired");
      return due.length;
    },
  };
}

/** Oldest first, without the limit. */
function listQuestions(
  state: MemoryState,
  ownerId: string,
  { pendingOnly, ...filter }: Omit<ListQuestions, "limit">,
): QuestionView[] {
  const all = runsOf(state, ownerId).flatMap((run) => [...run.questions.values()]);
  return filterList(state, all, filter).filter(
    (question) => pendingOnly !== true || question.state === "pending",
  );
}

function find(
  state: MemoryState,
  ownerId: string,
  questionId: string,
): { readonly run: MemoryRun; readonly question: QuestionView } | undefined {
  for (const run of runsOf(state, ownerId)) {
    const question = run.questions.get(questionId);
    if (question) return { run, question };
  }
  return undefined;
}

/** Closes a question by the owner's answer, or because it has expired. */
function close(
  state: MemoryState,
  { ownerId, questionId }: { readonly ownerId: string; readonly questionId: string },
  closing: QuestionClosing,
): QuestionView {
  const found = find(state, ownerId, questionId);
  if (!found) throw new BronError("not_found", `Question ${questionId} not found.`);
  const { run, question } = found;
  checkQuestionClosing({ question, closing, runStatus: run.view.status, now: state.now() });
  appendAndWake(state, run, [questionClosingEvent(question, closing, ownerId)]);
  return run.questions.get(questionId) ?? question;
}
