import type { EarlierMessage, ToolResult } from "../conversation.ts";
import { isObject, type JsonObject } from "../wire.ts";
import { plan } from "./conversation.fixture.ts";
import { createWorkspaceHarness, type WorkspaceHarness } from "./workspace-harness.fixture.ts";

export const mails = [
  {
    from: "Eva <eva@x.example>",
    subject: "Frames",
    text: "The frames arrive on Tuesday.",
    daysOld: 2,
    isUnread: true,
  },
  { from: "Paul <paul@x.example>", subject: "Lunch", text: "Lunch?", daysOld: 3, isUnread: true },
  { from: "Eva <eva@x.example>", subject: "Invoice 7", text: "An invoice.", daysOld: 9 },
];

export const conflictEvents = [
  {
    eventId: "one",
    summary: "1:1 Mara / Jonas",
    start: "2026-11-17T14:00:00+01:00",
    end: "2026-11-17T14:30:00+01:00",
  },
  {
    eventId: "two",
    summary: "Budget review",
    start: "2026-11-19T14:00:00+01:00",
    end: "2026-11-19T15:00:00+01:00",
  },
  {
    eventId: "three",
    summary: "Paint samples",
    start: "2026-11-19T14:30:00+01:00",
    end: "2026-11-19T15:30:00+01:00",
  },
];

const leadership = [
  { at: "2026-11-13T09:00:00.000Z", who: "Mara", text: "Ulm has signed." },
  { at: "2026-11-14T09:00:00.000Z", who: "Priya", text: "Oskar had an offer." },
];

const documents: Readonly<Record<string, JsonObject>> = {
  "sha256:csv": {
    tables: [
      {
        header: ["Item", "Amount"],
        rows: [
          ["Frames", "1200.50"],
          ["Wheels", "899.00"],
          ["Bells", "150.25"],
        ],
      },
    ],
  },
  "sha256:pdf": {
    pages: [
      {
        text: "Invoice\nInvoice Number: INV-7781\nDue Date: 2026-12-02\nNet Amount: 1,000.00 EUR\nTotal: 1,190.00 EUR",
      },
    ],
  },
  "sha256:txt": {
    pages: [{ text: "We agreed to move the launch.\nPriya will write to the supplier." }],
  },
};

const extra = {
  document_read: ({ digest }: JsonObject) => documents[String(digest)],
  document_fields: ({ fields }: JsonObject) => ({
    fields: (fields as JsonObject[]).map((field) => ({ ...field, found: true })),
  }),
  gmail_message_read: () => ({ messageId: "m0", to: "Eva <eva@x.example>", cc: "" }),
};

/** Decisions of the owner, in the order of the calls. "any" is the first effect. Other calls are approved. */
interface Decision {
  readonly tool: string;
  readonly edit?: JsonObject;
  readonly reply?: string;
  /** The answer to a question of ask_user, which is offered only with such answers. */
  readonly answer?: string;
}

const effects =
  /^(?:gmail_(?:send|reply|forward|draft_create|draft_send)|calendar_event_\w+|slack_post)$/;

type Content = NonNullable<Parameters<typeof createWorkspaceHarness>[0]>;

export interface Sandbox extends Content {
  readonly decisions?: (task: string) => readonly Decision[];
}

export interface Played {
  readonly outcome: string | undefined;
  readonly tools: readonly string[];
  readonly calls: readonly { readonly name: string; readonly args: JsonObject }[];
  readonly text: string;
}

/**
 * Plays the messages of a conversation, with the results that Bron's tools would give. Like Bron, it
 * keeps only the words of earlier tasks. The files come with the first message.
 */
export function playThread(
  tasks: readonly string[],
  files: readonly JsonObject[] = [],
  sandbox: Sandbox = {},
): Played {
  const earlierMessages: EarlierMessage[] = [];
  let played: Played = { outcome: undefined, tools: [], calls: [], text: "" };
  for (const [index, task] of tasks.entries()) {
    played = playTask(task, { earlierMessages, attachedFiles: index === 0 ? files : [] }, sandbox);
    earlierMessages.push({ by: "user", text: task }, { by: "model", text: played.text });
  }
  return played;
}

function playTask(
  task: string,
  context: {
    readonly earlierMessages: readonly EarlierMessage[];
    readonly attachedFiles: readonly JsonObject[];
  },
  sandbox: Sandbox,
): Played {
  const harness = createWorkspaceHarness({
    mails,
    events: conflictEvents,
    channels: { leadership },
    ...sandbox,
    overrides: { ...extra, ...sandbox.overrides },
  });
  const decisions = [...(sandbox.decisions?.(task) ?? [])];
  const laterWords: string[] = [];
  const declarations = [
    ...harness.declarations,
    { name: "clock", parametersJsonSchema: { properties: { timezone: {} } } },
    { name: "calculator", parametersJsonSchema: { properties: { expression: {} } } },
    { name: "notes_list", parametersJsonSchema: { properties: {} } },
    ...(decisions.some(({ answer }) => answer !== undefined)
      ? [{ name: "ask_user", parametersJsonSchema: { properties: { question: {} } } }]
      : []),
    { name: "report_outcome", parametersJsonSchema: { properties: { outcome: {} } } },
  ];
  const results: ToolResult[] = [];
  for (let turn = 0; turn < 12; turn += 1) {
    const { calls = [], text = "" } = plan({ task, results, laterWords, ...context }, declarations);
    const last = calls.find(({ name }) => name === "report_outcome");
    if (last !== undefined)
      return {
        outcome: String(last.args["outcome"]),
        tools: results.map(({ name }) => name),
        calls: results,
        text,
      };
    for (const { name, args } of calls) {
      const [next] = decisions;
      const isNext = next?.tool === name || (next?.tool === "any" && effects.test(name));
      const decision = isNext ? decisions.shift() : undefined;
      if (decision?.reply !== undefined) laterWords.push(decision.reply);
      results.push({ name, args, response: decide(decision, () => respond(name, args, harness)) });
    }
  }
  throw new Error(`"${task}" did not end.`);
}

function respond(
  name: string,
  args: JsonObject,
  { respond: others }: Pick<WorkspaceHarness, "respond">,
): JsonObject {
  if (name === "clock")
    return { content: { text: "Sunday, 2026-11-15 21:30 (Europe/Berlin, UTC+01:00)" } };
  if (name === "calculator") return { content: "676.5" };
  if (name === "notes_list") return { content: { notes: ["Shopping"] } };
  if (name.startsWith("document_"))
    return { content: extra[name as "document_read" | "document_fields"](args) };
  return others(name, args);
}

/** What the owner does at an approval: changes the form, asks for changes, or approves. */
function decide(decision: Decision | undefined, approve: () => JsonObject): JsonObject {
  const { edit, reply, answer } = decision ?? {};
  if (answer !== undefined) return { content: { answer, from: "typed" } };
  if (reply !== undefined) {
    const edited = edit ? `The user had edited it: ${JSON.stringify(edit)}\n` : "";
    return { error: `${edited}The user answered: ${reply}` };
  }
  const response = approve();
  const { content } = response;
  return edit && isObject(content) ? { content: { ...content, changedByUser: edit } } : response;
}
