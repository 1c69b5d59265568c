import { omitUndefined, type Answer, type NewEvent, type NewQuestion } from "@bron/protocol";
import { cleanText } from "../context/clean-text.ts";
import type { Ids } from "../ports/clock.ts";
import type { OpenQuestion, RunState } from "../run/state/run-state.ts";

interface CallQuestionsDeps {
  readonly ids: Ids;
  readonly now: () => number;
  readonly postAndWait: (event: NewEvent) => Promise<void>;
}

/** Questions of calls that go on while the owner answers. */
export interface CallQuestions {
  /** See `EffectContext`. */
  ask(
    actionId: string,
    question: NewQuestion,
    options: { readonly expiresInMs: number; readonly signal: AbortSignal },
  ): Promise<Answer | undefined>;
  /** Gives the answers in the log to the calls that wait for them. */
  settle(state: Pick<RunState, "open">): void;
}

export function createCallQuestions({ ids, now, postAndWait }: CallQuestionsDeps): CallQuestions {
  const waiting = new Map<string, { actionId: string; resolve: (answer?: Answer) => void }>();
  return {
    async ask(actionId, { text, choices, schema, default: byDefault }, { expiresInMs, signal }) {
      const questionId = ids.uuid();
      const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
      const end = () => resolve(undefined);
      signal.addEventListener("abort", end, { once: true });
      if (signal.aborted) end();
      waiting.set(questionId, { actionId, resolve });
      const posted = postAndWait({
        type: "question",
        payload: {
          questionId,
          actionId,
          state: "pending",
          text: cleanText(text),
          ...omitUndefined({
            choices: choices?.map((choice) => cleanText(choice)),
            schema,
            default: byDefault === undefined ? undefined : cleanText(byDefault),
          }),
          expiresAt: new Date(now() + expiresInMs).toISOString(),
          duringCall: true,
        },
      });
      try {
        // If the call ends first, the event may never be written.
        await Promise.race([posted, promise]);
        return await promise;
      } finally {
        waiting.delete(questionId);
        signal.removeEventListener("abort", end);
      }
    },
    settle({ open }) {
      for (const [questionId, { actionId, resolve }] of waiting) {
        const question = open.get(actionId)?.question;
        if (question?.id === questionId && question.state !== "pending")
          resolve(answerOf(question));
      }
    },
  };
}

function answerOf({ state, typed, choice, context, program }: OpenQuestion): Answer | undefined {
  if (state !== "answered") return undefined;
  if (typed !== undefined) return { typed, ...omitUndefined({ context, program }) };
  return choice === undefined ? undefined : { choice };
}
