import { defineRecipe } from "../recipe/recipe.ts";
import { flag, type SlotReader } from "../recipe/slot.ts";
import { attachedFiles, type AttachedFile } from "./attached-file.ts";
import { emailLater, emailSlots, sendEmail, type EmailValues } from "./send-email.ts";
import { body } from "./write-emails.ts";

interface SendFileValues extends EmailValues {
  body?: string;
  isFile?: boolean;
  files?: readonly AttachedFile[];
}

const ofTask: SlotReader<readonly AttachedFile[]> = (text, context) =>
  context.conversation.attachedFiles.length === 0 ? [] : attachedFiles(text, context);

/** Sends the file itself. A summary of it is another recipe. */
export const sendFileRecipe = defineRecipe<SendFileValues>({
  topic: "files",
  task: "",
  examples: [],
  phrases: ["^send|mail|email|forward|share|draft|write"],
  unless: [
    "summar*|total|totals|extract|fields|details|figures|what|sum|slack|channel|recap|overview",
    "http|https",
  ],
  slots: {
    body,
    files: ofTask,
    isFile: flag(
      /\b(?:this|these|it|them|both|(?:the|my|this|these|both) (?:attached |uploaded )?(?:files?|documents?|pdfs?|csvs?|csv files?|sheets?|spreadsheets?|attachments?|invoices?|receipts?|contracts?|lists?|tables?))\b/,
    ),
    ...emailSlots,
  },
  needs: ["files", "isFile", "to|toName", "delivery"],
  continues: ["say|saying|text|tell|subject", "tell|ask him|her|them"],
  fillers: "attached uploaded",
  later: emailLater,
  steps: sendEmail<SendFileValues>(({ files = [], body: text }) => {
    const names = files.map(({ filename }) => filename).join(", ");
    return {
      subject: names,
      body: text ?? `${names} ${files.length === 1 ? "is" : "are"} attached.`,
      attachments: files,
    };
  }),
});
