import { defineRecipe } from "../recipe/recipe.ts";
import type { SlotReader } from "../recipe/slot.ts";
import { readOutcome } from "../recipe/tool-outcome.ts";
import { listOf, textOf } from "../words/json.ts";
import type { EmailValues } from "./send-email.ts";
import { describeSent, readSent } from "./sent-email.ts";

interface Earlier {
  readonly draftId: string;
  readonly to: readonly string[];
  readonly subject: string;
}

interface DraftValues extends EmailValues {
  earlier?: Earlier;
}

const ownSentence = /to (?<to>\S+@[^\s:]+?): "(?<subject>[^"]+)" \(draft (?<draftId>[^\s)]+)\)/;
const makes = /^gmail_(?:draft_create|createDraft)$/;

/** The last draft of the conversation, by its tool result or by this model's message about it. */
const earlierDraft: SlotReader<Earlier> = (_, { conversation }) => {
  const made = conversation.earlierResults.findLast(({ name }) => makes.test(name));
  const outcome = made === undefined ? undefined : readOutcome(made.response);
  if (made !== undefined && outcome?.status === "done" && textOf(outcome.value, "draftId") !== "")
    return {
      draftId: textOf(outcome.value, "draftId"),
      to: listOf(made.args["to"]).map(String),
      subject: textOf(made.args, "subject"),
    };
  const said = conversation.earlierMessages
    .flatMap(({ by, text }) => (by === "model" ? [ownSentence.exec(text)?.groups] : []))
    .findLast((groups) => groups !== undefined);
  const { draftId = "", to = "", subject: title = "" } = said ?? {};
  return draftId === "" ? undefined : { draftId, to: [to], subject: title };
};

export const sendDraftRecipe = defineRecipe<DraftValues>({
  topic: "email",
  task: "",
  examples: [],
  phrases: ["^send it|that|draft|mail|email"],
  unless: ["to|saying|about|summary|from|subject"],
  isEntireMessage: true,
  slots: { earlier: earlierDraft },
  needs: ["earlier"],
  steps: [
    {
      call: "gmail_draft_send|gmail_sendDraft",
      with: ({ earlier }) => ({ draftId: earlier?.draftId }),
      doing: "send the draft",
      isEffect: true,
      as: "sent",
      read: readSent,
    },
    {
      say: ({ earlier = { to: [], subject: "" }, sent }) => `Sent ${describeSent(sent, earlier)}.`,
    },
  ],
});
