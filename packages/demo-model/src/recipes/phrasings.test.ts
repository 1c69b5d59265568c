import { describe, expect, test } from "vitest";
import { effectsAskedFor } from "./conversation.fixture.ts";
import { understand } from "../recipe/understand.ts";
import { createTestSimulator } from "./agent-loop.fixture.ts";
import { createConversation, plan, today } from "./conversation.fixture.ts";
import { recipes } from "./recipes.ts";
import { createWorkspaceHarness } from "./workspace-harness.fixture.ts";
import type { JsonObject } from "../wire.ts";

const small = createTestSimulator().tools.map(({ declaration: { name, inputSchema } }) => ({
  name,
  parametersJsonSchema: inputSchema as JsonObject,
}));
const declarations = [...createWorkspaceHarness().declarations, ...small];
const eva = "eva@x.example";

function read(task: string) {
  const requests = understand(task, recipes, { conversation: createConversation({ task }), today });
  const [request] = requests;
  const slots = request?.recipe === undefined ? {} : request.slots;
  const [call] = plan({ task }, declarations).calls ?? [];
  return {
    tasks: requests.map(({ recipe }) => recipe?.task),
    call: call?.name,
    args: call?.args,
    to: slots["to"],
    delivery: slots["delivery"],
  };
}

describe("a document by email", () => {
  test.each([
    [
      `Find the latest invoice from Northwind with an attachment from the last 30 days, extract the key fields and draft an email to ${eva} with a summary, then send it`,
      "from:Northwind subject:invoice has:attachment newer_than:30d",
    ],
    [
      `Search my inbox for the newest invoice from Northwind of the past 30 days, pull out the key data and send a summary to ${eva}.`,
      "from:Northwind subject:invoice has:attachment newer_than:30d",
    ],
    [
      `Please look up Northwind's most recent invoice and email its key figures to ${eva}`,
      "from:Northwind subject:invoice has:attachment",
    ],
    [
      `Could you send ${eva} the key fields of the latest invoice from Northwind?`,
      "from:Northwind subject:invoice has:attachment",
    ],
    [
      `I need the last invoice from Northwind (PDF, last 30 days). Extract everything important and mail a summary to ${eva}.`,
      "from:Northwind subject:invoice has:attachment filename:pdf newer_than:30d",
    ],
    [
      `Get the newest bill from Northwind Traders, read out the details and forward them to ${eva}`,
      'from:"Northwind Traders" subject:bill has:attachment',
    ],
    [
      `Take the latest CSV from Acme this month, extract the totals and write an email to ${eva}, then send it`,
      "from:Acme has:attachment filename:csv after:2026/11/01 before:2026/11/16",
    ],
    [
      `find the most recent spreadsheet from finance@acme.example, summarize it and send the summary to ${eva}`,
      "from:finance@acme.example has:attachment filename:xlsx",
    ],
    [
      `Get me the newest order confirmation, pull out number, date, total, and mail them to my accountant at ${eva}`,
      '-from:me subject:"order confirmation" has:attachment',
    ],
    [
      `grab the latest invoice northwind sent me, extract the fields, email them to ${eva}`,
      "from:northwind subject:invoice has:attachment",
    ],
    [
      `From the latest Contoso quote, extract the fields. Then write to ${eva} with a summary and send it.`,
      "from:Contoso subject:quote has:attachment",
    ],
    [
      `Find the invoice from "Blue Harbour" from last week, extract the key fields and send them to ${eva}`,
      'from:"Blue Harbour" subject:invoice has:attachment after:2026/11/02 before:2026/11/09',
    ],
    [
      `Summarise the latest receipt from Fabrikam and send the summary to ${eva}`,
      "from:Fabrikam subject:receipt has:attachment",
    ],
  ])("%s", (task, query) => {
    expect(read(task)).toMatchObject({
      tasks: ["find an invoice, order or other document and extract its fields"],
      args: { query },
      to: [eva],
      delivery: "send",
    });
  });
});

test.each([
  `Draft an email to ${eva} with the key fields of the latest invoice from Northwind`,
  `Email ${eva} the key fields of the latest invoice from Northwind, but don't send it yet`,
  `Prepare a mail to ${eva} with a summary of Northwind's last invoice, ready to send`,
])("saves a draft only: %s", (task) => {
  expect(read(task)).toMatchObject({ to: [eva], delivery: "draft" });
});

test.each([
  [`Summarize #orders of the last 7 days and email it to ${eva}`, ["send_mail"]],
  [`Draft an email to ${eva} with the key fields of the latest invoice`, ["write_draft"]],
  ["Put lunch with Priya on Friday 12:30 for an hour", ["create_event"]],
  ["What is on my calendar tomorrow?", []],
])("reads the effects that the words ask for: %s", (task, effects) => {
  expect(effectsAskedFor(task)).toEqual(effects);
});

describe("other emails", () => {
  test.each([
    [
      "What is the total of the latest invoice from Contoso?",
      "from:Contoso subject:invoice has:attachment",
    ],
    ["When is the last invoice from Contoso due?", "from:Contoso subject:invoice has:attachment"],
    ["Show me unread mails from Eva", "from:Eva is:unread"],
    ['Search my mail for "harbour lights"', '"harbour lights"'],
    ["Are there any mails about the budget from this week?", "budget newer_than:7d"],
    ["How many mails from Paul are there since yesterday?", "from:Paul newer_than:2d"],
    ["What did Paul write about the budget?", "from:Paul budget"],
    ["What did Nora Wirth want?", 'from:"Nora Wirth"'],
    ["Summarise the last mail from Paul", "from:Paul"],
    ["Summarise my unread mails", "is:unread"],
    [
      "Which invoices came this month?",
      "-from:me {invoice Rechnung facture faktura} after:2026/11/01 before:2026/11/16",
    ],
    ["Reply to Paul's last mail saying yes", "from:Paul"],
    ["Draft a reply to the last mail from Paul saying yes", "from:Paul"],
  ])("%s", (task, query) => {
    expect(read(task)).toMatchObject({ call: "gmail_search", args: { query } });
  });

  test.each([
    [
      "Send an email to a@x.example and b@x.example saying hello",
      { to: ["a@x.example", "b@x.example"] },
    ],
    [
      "Send an email to a@x.example, cc b@x.example, saying hello",
      { to: ["a@x.example"], cc: ["b@x.example"] },
    ],
    [
      "Email a@x.example that I'm running late",
      { to: ["a@x.example"], bodyText: "I'm running late" },
    ],
    [
      "Send a@x.example an email: see you at nine",
      { to: ["a@x.example"], bodyText: "see you at nine" },
    ],
  ])("%s", (task, args) => {
    expect(read(task)).toMatchObject({ call: "gmail_send", args });
  });
});

describe("a task of another kind", () => {
  test.each([
    ["Send an email to a@b.example saying are you free on Friday?", "write an email"],
    ["What did Eva write about the meeting?", "say what someone wrote"],
    ["Are there any mails about the meeting tomorrow?", "list or search emails"],
    ["What is the time in Paris?", "tell the time in a city"],
    ["Reply to the last mail from Eva and say I am free on Friday at 10:00.", "reply to an email"],
    ["Write a note titled Plan: meeting tomorrow at 10:00", "write a note"],
    ["Send an email to a@b.example saying see https://x.example/ for more", "write an email"],
  ])("%s: is to %s", (task, wanted) => {
    expect(read(task).tasks).toEqual([wanted]);
  });
});

describe("a task that it does not know", () => {
  test.each([
    "Delete all my emails",
    "Archive the newsletter from Acme",
    "Book me a flight to Rome tomorrow at 10:00",
    "Book a meeting room for Friday",
    "What's the weather tomorrow?",
    "Pay the latest invoice from Northwind",
    "Order 3 pizzas",
    "Write a report about our sales",
    "Send a message to #orders saying hi",
    "Is Jonas free on Thursday?",
    "how many days until Christmas?",
    "Search the web for bicycle frames",
    "When a new invoice arrives, send it to eva@x.example",
    "If it rains tomorrow, schedule a meeting at 10:00",
  ])("%s: makes no call", (task) => {
    const { calls, text } = plan({ task }, declarations);
    expect(calls).toBeUndefined();
    expect(text).toContain("in demo mode.");
  });

  test.each(["Hello!", "help", "What can you do?", "how are you"])(
    "%s: introduces itself",
    (task) => {
      expect(plan({ task }, declarations).text).toMatch(/^I'm the built-in demo model\. .+$/);
    },
  );
});
