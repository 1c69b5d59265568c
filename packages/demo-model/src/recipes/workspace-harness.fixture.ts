import { omitUndefined } from "@bron/protocol";
import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import type { TestTool } from "./agent-loop.fixture.ts";
import {
  createMailHarness,
  ToolFailure,
  type MailHarness,
  type TestMail,
} from "./mail-harness.fixture.ts";
import { foldText } from "../words/content-words.ts";
import type { JsonObject } from "../wire.ts";

export interface TestEvent {
  readonly eventId: string;
  readonly seriesId?: string;
  readonly summary: string;
  readonly start: string;
  readonly end: string;
  readonly location?: string;
  readonly description?: string;
  readonly guests?: readonly string[];
}

export interface TestMessage {
  readonly at: string;
  readonly who: string;
  readonly text: string;
  readonly replies?: readonly { readonly who: string; readonly text: string }[];
}

interface Content {
  readonly mails?: readonly TestMail[];
  readonly events?: readonly TestEvent[];
  readonly channels?: Readonly<Record<string, readonly TestMessage[]>>;
  readonly pages?: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, (args: JsonObject) => unknown>>;
  readonly without?: readonly string[];
}

export type WorkspaceHarness = Pick<
  MailHarness,
  "declarations" | "tools" | "sent" | "calls" | "respond"
> & {
  /** The create and update calls with their arguments. */
  readonly changes: { readonly name: string; readonly args: JsonObject }[];
};

/** A Sunday. */
const today = "2026-11-15";
/** The date sentence of Bron's system instruction. */
export const dated: LanguageModelV4Prompt = [
  {
    role: "system",
    content: `Rules:\n- Today is Sunday, ${today} (UTC); ask a tool when the hour matters.`,
  },
];

/** Tools that behave like Bron's over in-memory lists. The calendar uses Berlin winter time. */
export function createWorkspaceHarness({
  mails = [],
  events = [],
  channels = {},
  pages = {},
  overrides = {},
  without = [],
}: Content = {}): WorkspaceHarness {
  const mail = createMailHarness(mails, { overrides, without });
  const changes: WorkspaceHarness["changes"] = [];
  const view = (event: TestEvent) => ({
    seriesId: "",
    location: "",
    description: "",
    organizer: "me@home.example",
    status: "confirmed",
    recurrence: [],
    ...event,
    allDay: !event.start.includes("T"),
    guests: (event.guests ?? []).map((email) => ({ email, name: "", response: "accepted" })),
  });
  const done = (event: TestEvent) => ({
    eventId: event.eventId,
    summary: event.summary,
    start: event.start,
    end: event.end,
    allDay: !event.start.includes("T"),
    status: "confirmed",
    guests: [...(event.guests ?? [])],
    link: "",
  });
  const runs: Readonly<Record<string, (args: JsonObject) => unknown>> = {
    calendar_search: ({ from = today, to = plusDays(String(from), 13), query = "" }) => {
      const words = foldText(String(query))
        .split(/\s+/)
        .filter((word) => word !== "");
      const found = events.filter(
        ({ start, end, summary, guests = [] }) =>
          start.slice(0, 10) <= String(to) &&
          end.slice(0, 10) >= String(from) &&
          words.every((word) => foldText([summary, ...guests].join(" ")).includes(word)),
      );
      return {
        from: `${String(from)}T00:00:00+01:00`,
        to: `${plusDays(String(to), 1)}T00:00:00+01:00`,
        timeZone: "Europe/Berlin",
        found: found.length,
        more: false,
        events: found.map(view),
      };
    },
    calendar_event_create: (args) => {
      changes.push({ name: "calendar_event_create", args });
      const start = local(args["start"]);
      const minutes = Number(args["durationMinutes"] ?? 0);
      const end =
        args["end"] === undefined
          ? new Date(Date.parse(start) + minutes * 60_000 + 3_600_000)
              .toISOString()
              .replace(".000Z", "+01:00")
          : local(args["end"]);
      return done({
        eventId: "new",
        summary: textOf(args["summary"]),
        start,
        end,
        guests: (args["guests"] ?? []) as string[],
      });
    },
    calendar_event_update: (args) => {
      changes.push({ name: "calendar_event_update", args });
      const event =
        events.find(({ eventId }) => eventId === args["eventId"]) ??
        fail("not_found: There is no such event any more.");
      const added = (args["addGuests"] ?? []) as string[];
      return done({
        ...event,
        ...omitUndefined({
          summary: args["summary"] === undefined ? undefined : textOf(args["summary"]),
        }),
        ...(args["start"] === undefined
          ? {}
          : { start: local(args["start"]), end: local(args["start"]) }),
        guests: [...(event.guests ?? []), ...added],
      });
    },
    slack_channels: () => ({
      found: Object.keys(channels).length,
      more: false,
      channels: Object.keys(channels).map((name) => ({
        channelId: `C${name}`,
        name,
        topic: "",
        purpose: `About ${name}`,
        isMember: name !== "random",
      })),
    }),
    slack_read: ({ channel, since = "", until = "9999", threadTs }) => {
      const messages =
        channels[String(channel).replace("#", "")] ??
        fail(`not_found: Bron can't see a channel named #${String(channel)}.`);
      const shown = messages.map(({ replies = [], ...message }, index) => ({
        ...message,
        ts: `1700000${index}.000100`,
        replies: replies.length,
      }));
      if (threadTs === undefined)
        return {
          channel,
          messages: shown.filter(({ at }) => at >= String(since) && at < String(until)),
          more: false,
        };
      const index = shown.findIndex(({ ts }) => ts === threadTs);
      return {
        channel,
        threadTs,
        messages: [
          shown[index],
          ...(messages[index]?.replies ?? []).map((reply, at) => ({
            ...reply,
            at: messages[index]?.at,
            ts: `1700000${index}.00020${at}`,
            replies: 0,
          })),
        ],
        more: false,
      };
    },
    slack_members: ({ channel }) => ({
      channel,
      count: 2,
      more: false,
      members: ["Jonas", "Priya"].map((name) => ({
        userId: `U${name}`,
        name,
        address: `${name.toLowerCase()}@lindqvist.example`,
      })),
    }),
    slack_post: (args) => {
      changes.push({ name: "slack_post", args });
      return { channelId: "C1", ts: "1700000000.000100", postedAt: "2026-11-15T09:30:00.000Z" };
    },
    web_fetch: ({ url }) => ({
      untrusted: true,
      url,
      kind: "html",
      text: pages[String(url)] ?? fail("tool_failed: The host answered 404."),
      truncated: false,
      warnings: [],
    }),
  };
  const execute = (name: string, args: JsonObject): LanguageModelV4ToolResultOutput => {
    mail.calls.push({ name, args });
    try {
      return {
        type: "json",
        value: (overrides[name] ?? runs[name] ?? fail("unknown tool"))(args) as never,
      };
    } catch (error) {
      const message = error instanceof ToolFailure ? error.message : String(error);
      return message.startsWith("denied: ")
        ? { type: "execution-denied", reason: message.slice(8) }
        : { type: "error-text", value: message };
    }
  };
  const offered = Object.keys(runs).filter((name) => !without.includes(name));
  const tools = offered.map((name): TestTool => ({
    declaration: {
      type: "function",
      name,
      description: name,
      inputSchema: schemaOf(name) as LanguageModelV4FunctionTool["inputSchema"],
    },
    run: (args) => execute(name, args),
  }));
  return {
    sent: mail.sent,
    calls: mail.calls,
    changes,
    tools: [...mail.tools, ...tools],
    declarations: [
      ...mail.declarations,
      ...offered.map((name) => ({ name, parametersJsonSchema: schemaOf(name) })),
    ],
    respond(name, args) {
      if (!offered.includes(name)) return mail.respond(name, args);
      const output = execute(name, args);
      return output.type === "json"
        ? { name, content: output.value }
        : {
            name,
            error:
              output.type === "error-text"
                ? output.value
                : output.type === "execution-denied"
                  ? output.reason
                  : "",
          };
    },
  };
}

const parameters: Readonly<Record<string, readonly string[]>> = {
  slack_members: ["channel"],
  slack_post: ["to", "text"],
  calendar_search: ["query", "from", "to", "timeZone", "maxResults", "calendarId"],
  calendar_event_create: [
    "summary",
    "start",
    "end",
    "durationMinutes",
    "timeZone",
    "location",
    "description",
    "guests",
    "notifyGuests",
  ],
  calendar_event_update: [
    "eventId",
    "summary",
    "start",
    "end",
    "timeZone",
    "location",
    "addGuests",
    "removeGuests",
    "notifyGuests",
  ],
  slack_channels: ["query", "includeArchived"],
  slack_read: ["channel", "threadTs", "since", "until", "limit", "cursor"],
  web_fetch: ["url"],
};

function schemaOf(name: string): JsonObject {
  return {
    type: "object",
    properties: Object.fromEntries((parameters[name] ?? []).map((key) => [key, {}])),
    required: [],
    additionalProperties: false,
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function local(value: unknown): string {
  return `${textOf(value)}:00+01:00`;
}

function plusDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

function fail(message: string): never {
  throw new ToolFailure(message);
}
