import type { WorldEntry } from "./shared-world.ts";

/** What can be asked of the simulated mailbox; the first one is what `bron demo` does. */
export function demoTasks({ colleague }: Pick<WorldEntry, "colleague">): string[] {
  return [
    `Find the latest invoice with a PDF attachment from the last 30 days, extract the key fields, draft an email to ${colleague} with a summary, and send it.`,
    `Find the newest order with an Excel sheet, extract the key fields and draft a mail to ${colleague} with them. Do not send it.`,
    "How many unread mails do I have from the last 7 days?",
  ];
}
