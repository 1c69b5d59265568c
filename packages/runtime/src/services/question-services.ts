import { BronError, cleanContext, cleanText, type Questions } from "@bron/core";
import { omitUndefined } from "@bron/protocol";
import { nextOf, programOf, type ServicesOf } from "./service.ts";

type QuestionKeys =
  | "GET /api/questions"
  | "GET /api/questions/:id"
  | "POST /api/questions/:id/answer";

/** What runs ask their owner. */
export function questionServices({
  questions,
}: {
  readonly questions: Questions;
}): ServicesOf<QuestionKeys> {
  const find = async (ownerId: string, id: string) => {
    const question = await questions.get(ownerId, id);
    if (!question) throw new BronError("not_found", `Question ${id} not found.`);
    return question;
  };
  return {
    async "GET /api/questions"({ caller: { ownerId }, query: { pending, ...query } }) {
      const page = await questions.list(ownerId, { ...query, pendingOnly: pending });
      return { questions: page, next: nextOf(page, query.limit) };
    },
    "GET /api/questions/:id": ({ caller: { ownerId }, params: { id } }) => find(ownerId, id),
    async "POST /api/questions/:id/answer"({ caller, params: { id }, body }) {
      const { ownerId } = caller;
      if (body.choice === undefined) {
        const typed = cleanText(body.typed ?? "");
        if (typed.trim() === "") throw new BronError("invalid_input", "Type an answer.");
        const context = cleanContext(body.context);
        const program = programOf(caller);
        return await questions.answer(ownerId, id, {
          typed,
          ...omitUndefined({ context, program }),
        });
      }
      const { choices } = await find(ownerId, id);
      const choice = choices[body.choice - 1];
      if (choice === undefined)
        throw new BronError("invalid_input", `This question has ${choices.length} choices.`);
      return await questions.answer(ownerId, id, { choice });
    },
  };
}
