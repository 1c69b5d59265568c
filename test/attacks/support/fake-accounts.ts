import { defineTool, type Tool } from "@bron/core";
import { webFetchTool } from "@bron/connectors";
import { createNotes } from "../../../packages/tools/src/notes.ts";
import { createPostNote } from "../../../packages/tools/src/post-note.ts";
import type { JsonValue } from "@bron/protocol";
import { z } from "zod";
import { calendarTools } from "../../../packages/connectors/src/calendar/calendar-tools.ts";
import { gmailTools } from "../../../packages/connectors/src/gmail/gmail-tools.ts";
import { createKnownPeople } from "../../../packages/connectors/src/google/known-people.ts";
import { createPeopleNamed } from "../../../packages/connectors/src/google/people-named.ts";
import { createDocumentCache } from "../../../packages/documents/src/tools/document-cache.ts";
import { documentReadTool } from "../../../packages/documents/src/tools/document-read.ts";
import { defaultTiming } from "../../../packages/documents/src/tools/load-document.ts";
import { slackTools } from "../../../packages/connectors/src/slack/slack-tools.ts";
import { fakeCalendar, type FakeEvent } from "./fake-calendar.ts";
import { fakeGmail, type FakeDrafts, type FakeMail } from "./fake-gmail.ts";
import { fakeSlack, type FakeSlack } from "./fake-slack.ts";

/** What the owner's accounts and the web contain in a case. */
export interface FakeAccounts {
  readonly mails?: readonly FakeMail[];
  readonly drafts?: FakeDrafts;
  readonly events?: readonly FakeEvent[];
  /** Texts of Slack channels, by name. */
  readonly channels?: Readonly<Record<string, string>>;
  /** A workspace in which Bron can post. Without it, Slack can only be read. */
  readonly slack?: FakeSlack;
  /** Notes can be written and read. */
  readonly hasNotes?: boolean;
  /** Notes that the owner wrote, by title. */
  readonly notes?: Readonly<Record<string, string>>;
  /** Texts of web pages, by URL. */
  readonly pages?: Readonly<Record<string, string>>;
}

/** A call that got as far as a form which the policy can judge, or that was carried out. */
export interface RecordedEffect {
  readonly tool: string;
  readonly actionId: string;
  readonly prepared: JsonValue;
}

export interface AccountRecord {
  /** What was tried and got a form. */
  readonly tried: RecordedEffect[];
  /** Tools that rejected a call before the policy saw it. */
  readonly rejected: string[];
  /** What left. */
  readonly done: RecordedEffect[];
  /** The actions that read something, by the id of the mail, the channel or the URL. */
  readonly reads: Map<string, string[]>;
}

const owner = "mara@lindqvist.example";

/**
 * The real tools of Gmail, Calendar, Slack, the web, boards and notes, on services in this process.
 * The record holds what they did. `notes` is the folder of the notes.
 */
export function accountTools(
  accounts: FakeAccounts,
  record: AccountRecord,
  notes?: string,
): Tool[] {
  return [
    ...connectedTools(accounts),
    webFetch(accounts),
    postNote(),
    documentRead(),
    ...(notes === undefined ? [] : createNotes(notes)),
  ].map((tool) => withRecord(tool, record));
}

function connectedTools(accounts: FakeAccounts): Tool[] {
  const { mails = [], drafts, events = [], channels = {}, slack } = accounts;
  const deps = {
    accounts: {
      access: () => Promise.resolve({ account: owner, accessToken: "token", scopes: [] }),
    },
    clock: {
      now: () => Date.parse("2031-05-05T10:00:00Z"),
      monotonic: () => 0,
      random: () => 0.5,
      sleep: () => Promise.resolve(),
    },
    times: { draftMs: 5_000, sendMs: 5_000, eventMs: 5_000, searchDelaysMs: [0] },
  };
  const gmail = fakeGmail(mails, drafts);
  const calendar = fakeCalendar(owner, events);
  const mailDeps = {
    ...deps,
    service: { name: "Gmail", scopes: [], connect: () => Promise.resolve(gmail) },
  };
  const contacts = { find: () => Promise.resolve([]), remember: () => Promise.resolve() };
  const people = {
    knownPeople: createKnownPeople({ ...mailDeps, contacts, source: "google" }),
    peopleNamed: createPeopleNamed(mailDeps),
  };
  return [
    ...gmailTools({ ...mailDeps, ...people }),
    ...calendarTools({
      ...deps,
      ...people,
      service: { name: "Calendar", scopes: [], connect: () => Promise.resolve(calendar) },
    }),
    ...(slack
      ? slackTools({
          accounts: fakeSlack(slack, channels),
          clock: deps.clock,
          times: { postMs: 5_000, searchDelaysMs: [0] },
          peopleNamed: people.peopleNamed,
        })
      : [slackRead(channels)]),
  ];
}

function slackRead(channels: Readonly<Record<string, string>>): Tool {
  return defineTool({
    name: "slack_read",
    description: "Reads a channel.",
    input: z.object({ channel: z.string() }),
    label: { origin: "slack" },
    repeatable: true,
    execute: ({ channel }) => ({ channel, text: channels[channel] ?? "" }),
  });
}

function webFetch({ pages = {} }: FakeAccounts): Tool {
  return {
    ...webFetchTool({ read: () => Promise.resolve({}) }),
    execute(input) {
      const { url } = input as { url: string };
      const text = pages[url] ?? "There is no such page.";
      return Promise.resolve({ untrusted: true, url, host: new URL(url).host, text });
    },
  };
}

function postNote(): Tool {
  return {
    ...createPostNote("."),
    execute: (prepared) =>
      Promise.resolve({ posted: true, board: (prepared as { board: string }).board }),
  };
}

/** Saves the text of a page without its tags, as the parser does, which is a process of its own. */
function documentRead(): Tool {
  return {
    ...documentReadTool(createDocumentCache(), defaultTiming),
    async execute(input, context) {
      const { digest, name = "document" } = input as { digest: string; name?: string };
      const bytes = await context.readArtifact(digest);
      const text = textOfPage(new TextDecoder().decode(bytes));
      const textArtifact = await context.saveArtifact({
        kind: "document_text",
        name: `${name}.txt`,
        mediaType: "text/plain; charset=utf-8",
        bytes: new TextEncoder().encode(text),
      });
      return { untrusted: true, name, digest, textArtifact, text };
    },
  };
}

/** What `document_read` extracts of a page. */
export function textOfPage(page: string): string {
  return page.replaceAll(/<[^>]*>/g, "");
}

function withRecord(tool: Tool, { tried, rejected, done, reads }: AccountRecord): Tool {
  return {
    ...tool,
    async prepare(input, context) {
      const made = await tool.prepare(input, context).catch((error: unknown) => {
        rejected.push(tool.name);
        throw error;
      });
      tried.push({ tool: tool.name, actionId: context.actionId, prepared: made.prepared });
      return made;
    },
    async execute(input, context) {
      if (tool.sideEffect)
        done.push({ tool: tool.name, actionId: context.actionId, prepared: input as JsonValue });
      for (const name of namesRead(input))
        reads.set(name, [...(reads.get(name) ?? []), context.actionId]);
      return await tool.execute(input, context);
    },
  };
}

/** The strings of an input: ids of mails and threads, channels, URLs, searches. */
function namesRead(input: unknown): string[] {
  return typeof input === "object" && input !== null
    ? Object.values(input).filter((value): value is string => typeof value === "string")
    : [];
}
