import type { LoopHarness } from "@bron/testing";
import type { RightReading } from "./right-reading.ts";

/** How a question is answered. `expired`: by no one, and the default counts. */
export type CaseAnswer =
  | (Words & { readonly choice: string })
  | (Words & { readonly typed: string; readonly context?: string[]; readonly program?: string })
  | "expired";

interface Words {
  /** What a reader finds in the answer, or would find if it was the owner's words. */
  readonly reading: RightReading;
}

const ownerId = "local";
const longerThanAnyQuestion = 120_000;

/** Answers the questions that a run waits for. Takes the answers out of the list. */
export async function answerQuestions(
  { store, clock }: LoopHarness,
  runId: string,
  answers: CaseAnswer[],
): Promise<number> {
  const pending = await store.questions.list(ownerId, { runId, pendingOnly: true });
  for (const { id } of pending) {
    const answer = answers.shift() ?? "expired";
    if (answer === "expired") {
      await clock.pass(longerThanAnyQuestion);
      await store.questions.expireDue();
    } else {
      const { reading: _, ...own } = answer;
      await store.questions.answer(ownerId, id, own);
    }
  }
  return pending.length;
}

export function wordsOfAnswer(answer: Exclude<CaseAnswer, "expired">): {
  readonly words: string;
  readonly reading: RightReading;
} {
  return { words: "choice" in answer ? answer.choice : answer.typed, reading: answer.reading };
}
