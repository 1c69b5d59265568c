import type { SimulatorEntry } from "./shared-simulator.ts";

/** What can be asked of the simulated world; the first one is what `bron demo` does. */
export function demoTasks({ colleague }: Pick<SimulatorEntry, "colleague">): string[] {
  return [
    `Find the latest invoice with a PDF attachment from the last 30 days, extract the key fields, draft an email to ${colleague} with a summary, and send it.`,
    `Find the newest order with an Excel sheet, extract the key fields and draft a mail to ${colleague} with them. Do not send it.`,
    "How many unread mails do I have from the last 7 days?",
    "What is on my calendar in the next 7 days?",
    "When am I free on Thursday afternoon?",
    `Schedule a 30 minute call with ${colleague} tomorrow at 10:00 about frame tubes.`,
    "Move my 1:1 with Jonas to Thursday 15:00.",
    "Find the invitation from Nora Wirth in my mail and tell me whether I am free then.",
    `Summarise #orders of the last 7 days and mail it to ${colleague}.`,
    "What was decided in #leadership in the last 14 days?",
    "Find out, each by a Bron of its own: what is on my calendar in the next 7 days?; how many unread mails do I have from the last 7 days?; what was decided in #leadership in the last 14 days?",
    "What does https://www.brandt-metall.example/prices say about the dropout?",
  ];
}
