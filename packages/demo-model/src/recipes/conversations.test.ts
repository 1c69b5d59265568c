import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defineRecipe } from "../recipe/recipe.ts";
import { after } from "../recipe/slot.ts";
import { planResponse } from "../recipe/plan-response.ts";
import { startDemoModel, type DemoModelServer } from "../server.ts";
import { runLoop } from "./agent-loop.fixture.ts";
import { createConversation } from "./conversation.fixture.ts";
import { ToolFailure } from "./mail-harness.fixture.ts";
import {
  createWorkspaceHarness,
  dated,
  type WorkspaceHarness,
} from "./workspace-harness.fixture.ts";

let server: DemoModelServer;
beforeAll(async () => {
  server = await startDemoModel();
});
afterAll(() => server.close());

const events = [
  {
    eventId: "one",
    summary: "1:1 Mara / Jonas",
    start: "2026-11-17T14:00:00+01:00",
    end: "2026-11-17T14:30:00+01:00",
  },
];
const orders = [
  { at: "2026-11-12T09:00:00.000Z", who: "Felix", text: "The six batteries are here." },
];

async function run(
  task: string,
  harness: WorkspaceHarness = createWorkspaceHarness({ events, channels: { orders } }),
  history: Parameters<typeof runLoop>[1]["history"] = dated,
) {
  const result = await runLoop(task, { url: server.url, tools: harness.tools, history });
  return { ...result, harness, names: result.turns.flat().map(({ name }) => name) };
}

/** The owner replies to the first call of a tool, and approves the next one. */
function withReply(tool: string, reply: string): WorkspaceHarness {
  let isReplied = false;
  const harness: WorkspaceHarness = createWorkspaceHarness({
    events,
    channels: { orders },
    overrides: {
      [tool]: (args) => {
        if (!isReplied) {
          isReplied = true;
          throw new ToolFailure(`denied: The user answered: ${reply}`);
        }
        return { ...args, sentAt: "2026-11-15T09:30:00.000Z", summary: "Changed" };
      },
    },
  });
  return harness;
}

const argsOf = ({ calls }: WorkspaceHarness, tool: string) =>
  calls.filter(({ name }) => name === tool).map(({ args }) => args);

describe("several requests in one message", () => {
  test.each([
    [
      "What is on my calendar tomorrow, summarize #orders since Monday and when is my next 1:1 with Jonas?",
      ["calendar_search", "slack_read", "calendar_search"],
    ],
    [
      "Summarize #orders since Monday. Then put lunch with Priya on Friday 12:30 for an hour.",
      ["slack_read", "gmail_search", "calendar_event_create"],
    ],
    [
      "Move my 1:1 with Jonas to Thursday 15:00 and summarize #orders of the last 7 days and email it to jonas@x.example",
      ["calendar_search", "calendar_event_update", "slack_read", "gmail_send"],
    ],
  ])("%s", async (task, calls) => {
    expect((await run(task)).names).toEqual(calls);
  });

  test("does the known requests, and names the unknown one and the known tasks", async () => {
    const { names, text } = await run("Summarize #orders since Monday and tell me a joke");
    expect(names).toEqual(["slack_read"]);
    expect(text).toContain("The six batteries are here.");
    expect(text).toContain('I can\'t do "tell me a joke" in demo mode.');
    expect(text).toMatch(/^Summarize #orders since Monday:\n/);
    expect(text).toContain("I know a fixed set of tasks:");
  });
});

describe("a later message", () => {
  test.each([
    [
      "When am I free on Thursday afternoon?",
      "And on Friday?",
      "calendar_search",
      { from: "2026-11-20" },
    ],
    [
      "What is on my calendar tomorrow?",
      "What about Thursday?",
      "calendar_search",
      { from: "2026-11-19" },
    ],
    [
      "What was decided in #orders this week?",
      "and in #random?",
      "slack_read",
      { channel: "random" },
    ],
    [
      "How many unread emails did I get this week?",
      "And today?",
      "gmail_search",
      { query: "is:unread newer_than:1d" },
    ],
  ])("changes the request before it: %s %s", async (first, second, tool, args) => {
    const harness = createWorkspaceHarness({ events, channels: { orders, random: [] } });
    const { prompt } = await run(first, harness);
    const { text } = await run(second, harness, prompt);
    expect(argsOf(harness, tool).at(-1)).toMatchObject(args);
    expect(text).not.toContain("demo model");
  });

  test("can ask to send what was only shown", async () => {
    const harness = createWorkspaceHarness({ events, channels: { orders } });
    const { prompt } = await run("Summarize #orders of the last 7 days", harness);
    await run("Email it to priya@x.example", harness, prompt);
    expect(harness.sent).toMatchObject([{ to: ["priya@x.example"] }]);
  });
});

describe("changes that the owner requests at an approval", () => {
  test("writes to another recipient", async () => {
    const harness = withReply("gmail_send", "send it to priya@x.example instead");
    const { text, names } = await run(
      "Summarize #orders of the last 7 days and email it to jonas@x.example",
      harness,
    );
    expect(names).toEqual(["slack_read", "gmail_send", "gmail_send"]);
    const [first, second] = argsOf(harness, "gmail_send");
    expect(second).toMatchObject({ to: ["priya@x.example"], subject: first?.["subject"] });
    expect(text).toContain('Sent "Summary of #orders" to priya@x.example');
  });

  test("changes the subject only", async () => {
    const harness = withReply("gmail_send", 'Change the subject to "Batteries"');
    await run("Summarize #orders of the last 7 days and email it to jonas@x.example", harness);
    const [first, second] = argsOf(harness, "gmail_send");
    expect(second).toEqual({ ...first, subject: "Batteries" });
  });

  test("proposes an event at another time", async () => {
    const harness = withReply("calendar_event_create", "make it Friday at 16:00");
    await run(
      "Schedule a 30 minute call with jonas@x.example tomorrow at 10:00 about tubes",
      harness,
    );
    const [first, second] = argsOf(harness, "calendar_event_create");
    expect(second).toEqual({ ...first, start: "2026-11-20T16:00" });
  });

  test("moves an event to another time", async () => {
    const harness = withReply("calendar_event_update", "rather to Friday 9:00");
    await run("Move my 1:1 with Jonas to Thursday 15:00", harness);
    expect(argsOf(harness, "calendar_event_update").map(({ start }) => start)).toEqual([
      "2026-11-19T15:00",
      "2026-11-20T09:00",
    ]);
  });

  test.each([
    ["Leave it for today, thanks.", "You asked for changes, so I didn't add the event: "],
    ["make it funnier", 'I didn\'t understand this part: "make it funnier".'],
  ])("does nothing if it cannot apply the words: %s", async (reply, why) => {
    const harness = withReply("calendar_event_create", reply);
    const { text, names } = await run("Put lunch on Friday 12:30", harness);
    expect(names).toEqual(["calendar_event_create"]);
    expect(text).toContain(why);
    expect(text).toContain("Nothing was added.");
  });
});

describe("an attached file", () => {
  const note = (name: string) => ({
    role: "user" as const,
    content: [
      {
        type: "text" as const,
        text: `[ATTACHED FILES]\nThe user attached these files.\n${JSON.stringify({ name, mediaType: "application/pdf", sizeBytes: 1, digest: "sha256:m0/invoice.pdf" })}`,
      },
    ],
  });
  const harness = () =>
    createWorkspaceHarness({
      mails: [
        {
          from: "x@x.example",
          subject: "x",
          text: "x",
          daysOld: 1,
          files: [
            {
              filename: "invoice.pdf",
              mimeType: "application/pdf",
              content: {
                pages: [{ text: "Brandt GmbH\nInvoice number: B-17\nTotal: EUR 1,234.50" }],
              },
            },
          ],
        },
      ],
    });

  test.each([
    "Read the attached file and tell me the total.",
    "What is the total of the attached invoice?",
    "Tell me the total in the file I attached",
    "Extract the total from the attached PDF",
  ])("%s", async (task) => {
    const { names, text } = await run(task, harness(), [...dated, note("invoice.pdf")]);
    expect(names).toEqual(["document_read", "document_fields"]);
    expect(text).toContain("- Total: EUR 1,234.50");
    expect(text).not.toContain("B-17");
  });

  test("can be summarized in an email", async () => {
    const files = harness();
    await run("Summarize the attached file and email it to eva@x.example", files, [
      ...dated,
      note("invoice.pdf"),
    ]);
    expect(files.sent).toMatchObject([
      { to: ["eva@x.example"], bodyText: expect.stringContaining("Invoice Number: B-17") },
    ]);
  });

  test("is not invented", async () => {
    const { names, text } = await run("Read the attached file", harness());
    expect(names).toEqual([]);
    expect(text).toBe("There is no attached file.");
  });
});

describe("an unknown request", () => {
  test.each([
    "Book me a flight to Rome",
    "What is the weather in Paris?",
    "Translate this into French",
  ])("%s: makes no call and names the known tasks", async (task) => {
    const { names, text } = await run(task);
    expect(names).toEqual([]);
    expect(text).toContain(`I can't do "${task.replace(/[?.]$/, "")}`);
    expect(text).toMatch(
      /\n\nI'm the built-in demo model. I know a fixed set of tasks: .*email.*$/,
    );
    expect(text).not.toContain("notes");
  });
});

/** A page offers tools with names that no recipe can list. */
const fillFormRecipe = defineRecipe<{ field?: string; value?: string; tool?: string }>({
  topic: "pages",
  task: "fill in a form",
  examples: [],
  phrases: ["^fill|enter"],
  slots: {
    value: after(/\b(?:fill|enter) (?:in )?(?<value>\S+)(?= as\b)/),
    field: after(/\bas the (?<value>\w+)/),
  },
  needs: ["field", "value"],
  steps: [
    {
      set: ({ field, tools }) => ({
        tool: tools.find((name) => name.endsWith(`set_${field}`)) ?? "",
      }),
    },
    {
      if: ({ tool }) => !tool,
      say: ({ field }) => `This page has no field "${field}".`,
      stop: true,
    },
    {
      call: ({ tool }) => tool ?? "",
      with: ({ value }) => ({ value }),
      doing: ({ field }) => `fill in the ${field}`,
    },
    { say: ({ field, value }) => `The ${field} is now ${value}.` },
  ],
});

describe("tools of a page", () => {
  const declarations = [
    { name: "page_checkout_set_city", parametersJsonSchema: { properties: { value: {} } } },
  ];
  const plan = (task: string, results: Parameters<typeof createConversation>[0]["results"] = []) =>
    planResponse(createConversation({ task, results }), {
      recipes: [fillFormRecipe],
      declarations,
      mayCall: true,
    });

  test("are found by their names", () => {
    const task = "Fill in Berlin as the city";
    const [call] = plan(task).calls ?? [];
    expect(call).toEqual({ name: "page_checkout_set_city", args: { value: "Berlin" } });
    const response = { content: "ok" };
    expect(plan(task, [{ name: "page_checkout_set_city", args: {}, response }]).text).toBe(
      "The city is now Berlin.",
    );
    expect(plan("Fill in Berlin as the street").text).toBe('This page has no field "street".');
  });
});
