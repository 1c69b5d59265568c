import { describe, expect, test } from "vitest";
import { effectsAskedFor } from "./conversation.fixture.ts";
import { understand } from "../recipe/understand.ts";
import { createConversation, plan, today } from "./conversation.fixture.ts";
import { recipes } from "./recipes.ts";
import { createWorkspaceHarness } from "./workspace-harness.fixture.ts";

const childRuns = ["spawn_bron", "await_bron"].map((name) => ({
  name,
  parametersJsonSchema: { properties: { title: {}, prompt: {}, runId: {} } },
}));
const declarations = [...createWorkspaceHarness().declarations, ...childRuns];
const jonas = "jonas@lindqvist.example";

/** The suggestions of the home page, each with other ways to say it. */
const suggestions: Readonly<Record<string, readonly string[]>> = {
  [`Find the latest invoice with a PDF attachment from the last 30 days, extract the key fields, draft an email to ${jonas} with a summary, and send it.`]:
    [
      `Find the newest invoice with a PDF from the past 30 days, pull out the key fields and send a summary to ${jonas}`,
      `Please find the most recent invoice (PDF, last 30 days), extract the important details and email them to ${jonas}.`,
      `Get the latest PDF invoice of the last 30 days and mail its key figures to ${jonas}`,
      `Could you send ${jonas} the key fields of the latest invoice with a PDF from the last 30 days?`,
      `look for the last invoice as a pdf from the last 30 days. Extract the fields. Then write an email to ${jonas} with a summary and send it.`,
    ],
  [`Find the newest order with an Excel sheet, extract the key fields and draft an email to ${jonas} but don't send it.`]:
    [
      `Find the latest order with an Excel file, extract the key fields and draft an email to ${jonas}`,
      `Look up the most recent order with a spreadsheet, pull out the key data and prepare an email to ${jonas}, but do not send it yet.`,
      `Draft an email to ${jonas} with the key fields of the newest order with an Excel sheet`,
      `Please take the last order as an xlsx, extract the details and write an email to ${jonas} without sending it`,
    ],
  "How many unread emails did I get this week?": [
    "How many unread mails do I have from the last 7 days?",
    "how many unread messages came in the last week",
    "Count my unread emails of the past 7 days",
    "Tell me how many unread emails I got this week",
    "How many emails this week are unread?",
  ],
  "What is on my calendar in the next 7 days?": [
    "What's on my calendar for the next 7 days",
    "Show me my calendar for the next seven days",
    "Which meetings do I have in the next 7 days?",
    "What do I have in the next 7 days?",
    "Please list my appointments of the next 7 days.",
  ],
  "When am I free on Thursday afternoon?": [
    "Do I have any free slots on Thursday afternoon?",
    "Show me my availability on Thursday afternoon",
    "When do I have a free slot Thursday in the afternoon?",
    "Find free time on Thursday afternoon",
    "What gaps do I have on Thursday afternoon?",
  ],
  [`Schedule a 30 minute call with ${jonas} tomorrow at 10:00 about frame tubes.`]: [
    `Please book a 30-minute call about frame tubes with ${jonas} for tomorrow, 10am`,
    `Set up a call tomorrow 10:00 for half an hour with ${jonas} about frame tubes`,
    `Can you arrange a call with ${jonas} tomorrow from 10:00 about frame tubes for 30 minutes?`,
    `Add a 30 min call with ${jonas} about frame tubes to my calendar tomorrow at 10`,
    `Put a call with ${jonas} about frame tubes on my calendar tomorrow from 10:00, 30 minutes`,
  ],
  "Move my 1:1 with Jonas to Thursday 15:00.": [
    "Reschedule the 1:1 with Jonas to Thursday at 3 pm",
    "Please move the 1:1 with Jonas to 15:00 on Thursday",
    "Could you shift my 1:1 with Jonas to Thursday, 15:00?",
    "Push my 1:1 with Jonas to Thursday at 15:00",
    "postpone the 1:1 with Jonas until Thursday 3pm",
  ],
  "Find the invitation from Nora Wirth in my email and tell me whether I'm free then.": [
    "Am I free for the invitation from Nora Wirth?",
    "Look up the invitation from Nora Wirth and check if I'm available then",
    "Check whether I have time for the invitation from Nora Wirth",
    "Nora Wirth sent me an invitation. Am I free then?",
    "Find the invitation Nora Wirth sent me and see whether I'm busy",
  ],
  [`Summarize the last week in #orders and email it to ${jonas}.`]: [
    `Summarise #orders of the last 7 days and mail it to ${jonas}`,
    `Send ${jonas} a summary of #orders of the last seven days`,
    `Give me a summary of the orders channel of the past 7 days and send it to ${jonas}`,
    `Summarize #orders for the last week, then email the summary to ${jonas}`,
    `Email ${jonas} a recap of the last 7 days in #orders`,
  ],
  "What was decided in #leadership in the last 14 days?": [
    "Which decisions were made in #leadership in the last 14 days?",
    "Show me the decisions of the last two weeks in #leadership",
    "What did we decide in the leadership channel in the past 14 days?",
    "List all decisions in #leadership from the last 14 days",
    "What has been decided in #leadership over the last fourteen days",
  ],
  "Prepare my week: check my calendar, my unread email and the decisions in #leadership at the same time.":
    [
      "Prepare my week: check my calendar, my unread email and the decisions in #leadership in parallel",
      "Please prepare my week: check my calendar, my unread email, and the decisions in #leadership simultaneously.",
      "Check my calendar, my unread email and the decisions in #leadership at the same time",
      "Get me ready for the week: check my calendar, my unread email and the decisions in #leadership at once",
    ],
  "What does https://www.brandt-metall.example/prices say about the dropout?": [
    "Read https://www.brandt-metall.example/prices and tell me about the dropout",
    "What do you find about the dropout on https://www.brandt-metall.example/prices?",
    "Check https://www.brandt-metall.example/prices for the dropout",
    "Open https://www.brandt-metall.example/prices and tell me what it says about the dropout.",
    "Summarize what https://www.brandt-metall.example/prices says about the dropout",
  ],
  "What does https://www.brandt-metall.example/catalog say about bicycle bells?": [
    "What does the page https://www.brandt-metall.example/catalog say about bicycle bells?",
    "Read https://www.brandt-metall.example/catalog and tell me about bicycle bells",
    "Tell me what https://www.brandt-metall.example/catalog says about bicycle bells",
    "Summarize what https://www.brandt-metall.example/catalog says about bicycle bells",
  ],
};

/** What a message leads to: its recipe, its first calls, its effects and its email. */
function readingOf(task: string) {
  const conversation = createConversation({ task });
  const requests = understand(task, recipes, { conversation, today });
  const slots = requests.map((request) => (request.recipe === undefined ? {} : request.slots));
  return {
    tasks: requests.map(({ recipe }) => recipe?.task),
    calls: plan({ task }, declarations).calls,
    effects: effectsAskedFor(task),
    email: slots.map(({ to, delivery }) => ({ to, delivery })),
    topics: slots.map(({ words = [], focus, timeOfDay, asked = [] }) => ({
      words,
      focus,
      timeOfDay,
      asked,
    })),
  };
}

describe.each(Object.entries(suggestions))("%s", (suggestion, variations) => {
  const reading = readingOf(suggestion);

  test("is one known task with a first call", () => {
    expect(reading.tasks).toEqual([expect.stringMatching(/./)]);
    expect(reading.calls?.length).toBeGreaterThan(0);
    expect(variations.length).toBeGreaterThanOrEqual(4);
  });

  test.each(variations)("means the same: %s", (variation) => {
    expect(readingOf(variation)).toEqual(reading);
  });

  test.each([
    [
      "in lower case",
      suggestion.toLowerCase().replace("jonas to", "Jonas to").replace("nora wirth", "Nora Wirth"),
    ],
    ["politely", `Please ${suggestion.charAt(0).toLowerCase()}${suggestion.slice(1)}`],
    ["with spaces around it", `  ${suggestion}\n`],
  ])("means the same %s", (_, variation) => {
    const { topics, ...rest } = readingOf(variation);
    const lower = (value: unknown) => JSON.stringify(value).toLowerCase();
    expect(lower(topics)).toEqual(lower(reading.topics));
    expect(lower(rest)).toEqual(lower({ ...reading, topics: undefined }));
  });
});

test("every example of a recipe starts it", () => {
  for (const recipe of recipes)
    for (const task of recipe.examples) {
      const conversation = createConversation({ task });
      const requests = understand(task, recipes, { conversation, today });
      expect({ task, is: requests.map((one) => one.recipe?.examples) }).toEqual({
        task,
        is: [recipe.examples],
      });
    }
});
