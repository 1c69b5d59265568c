import type { SimulatorEntry } from "./shared-simulator.ts";

/** Example tasks for the sandbox. `bron demo` runs the first one. */
export function demoTasks({ colleague }: Pick<SimulatorEntry, "colleague">): string[] {
  return [
    `Find the latest invoice with a PDF attachment from the last 30 days, extract the key fields, draft an email to ${colleague} with a summary, and send it.`,
    `Find the newest order with an Excel sheet, extract the key fields and draft an email to ${colleague} but don't send it.`,
    "How many unread emails did I get this week?",
    "What is on my calendar in the next 7 days?",
    "When am I free on Thursday afternoon?",
    `Schedule a 30 minute call with ${colleague} tomorrow at 10:00 about frame tubes.`,
    "Move my 1:1 with Jonas to Thursday 15:00.",
    "Find the invitation from Nora Wirth in my email and tell me whether I'm free then.",
    `Summarize the last week in #orders and email it to ${colleague}.`,
    "What was decided in #leadership in the last 14 days?",
    "Prepare my week: check my calendar, my unread email and the decisions in #leadership at the same time.",
    "What does https://www.brandt-metall.example/prices say about the dropout?",
    "Look up Felix in the team directory.",
    "What does https://www.brandt-metall.example/catalog say about bicycle bells?",
  ];
}
