import { defineRecipe } from "../recipe/recipe.ts";
import type { SlotReader } from "../recipe/slot.ts";
import { readOutcome } from "../recipe/tool-outcome.ts";
import { listOf, textOf } from "./json.ts";
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

const makes = /^gmail_(?:draft_create|createDraft)$/;

/** The last draft of the conversation, if the result of saving it is known. */
const earlierDraft: SlotReader<Earlier> = (_, { conversation }) => {
  const made = conversation.earlierResults.findLast(({ name }) => makes.test(name));
  const outcome = made === undefined ? undefined : readOutcome(made.response);
  if (made !== undefined && outcome?.status === "done" && textOf(outcome.value, "draftId") !== "")
    return {
      draftId: textOf(outcome.value, "draftId"),
      to: listOf(made.args["to"]).map(String),
      subject: textOf(made.args, "subject"),
    };
  return undefined;
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
      say: ({ earlier = { to: [], subject: "" }, sent }) => `Sent ${describeSent(sent, earlier)}`,
    },
  ],
});
