import { defineRecipe } from "../recipe/recipe.ts";
import type { SlotReader } from "../recipe/slot.ts";
import { textOf } from "../words/json.ts";
import {
  asked,
  readFile,
  sayField,
  sayFields,
  shownFields,
  type FieldValues,
} from "./file-fields.ts";
import { emailSlots, sendEmail, type EmailValues } from "./send-email.ts";

interface AttachedValues extends EmailValues, FieldValues {
  files?: readonly NonNullable<FieldValues["file"]>[];
}

/** Reads the list of files that Bron puts before a task with attached files. */
const attachedFiles: SlotReader<NonNullable<AttachedValues["files"]>> = (_, { conversation }) =>
  conversation.attachedFiles.map((file) => ({
    digest: textOf(file, "digest"),
    filename: textOf(file, "name"),
    mediaType: textOf(file, "mediaType"),
  }));

export const attachedFileRecipe = defineRecipe<AttachedValues>({
  topic: "files",
  task: "read an attached file and extract its fields",
  examples: [
    "Read the attached file and tell me the total.",
    "What does the attached document say?",
    "Summarize the file I attached and email it to eva@x.example",
    "Extract the key fields of the attached PDF",
  ],
  phrases: [
    "attached file|document|pdf|invoice|order|sheet|spreadsheet|csv",
    "this|the|my upload|uploaded|file",
  ],
  unless: ["https|http", "note|notes", "^find|look|search|post"],
  slots: { ...emailSlots, asked, files: attachedFiles },
  continues: ["tell|what|extract|summar*"],
  later: ["asked", "to", "delivery"],
  steps: [
    {
      if: ({ files }) => !files?.length,
      say: "There is no attached file.",
      stop: true,
      outcome: "could_not",
    },
    { set: ({ files }) => (files?.[0] === undefined ? {} : { file: files[0] }) },
    ...readFile,
    {
      if: ({ fields, asked: wanted }) => !fields?.length && !wanted?.length,
      say: ({ document }) => (document?.text ?? "").split("\n").slice(0, 10),
    },
    ...sayFields<AttachedValues>(({ file }) => file?.filename ?? ""),
    ...sendEmail<AttachedValues>((values) => ({
      subject: `Summary: ${values.file?.filename}`,
      body: [
        `Here's a summary of ${values.file?.filename}:`,
        "",
        ...shownFields(values).map(sayField),
      ].join("\n"),
      isSummary: true,
    })),
  ],
  result: (values) => shownFields(values).map(sayField).join("\n"),
});
