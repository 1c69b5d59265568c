import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import type { TestTool } from "./agent-loop.fixture.ts";
import { foldText } from "../words/content-words.ts";
import type { FunctionDeclaration, JsonObject } from "../wire.ts";

interface TestFile {
  readonly filename: string;
  readonly mimeType: string;
  /** The output of document_read. */
  readonly content: JsonObject;
}

export interface TestMail {
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly daysOld: number;
  readonly files?: readonly TestFile[];
  readonly isUnread?: boolean;
}

interface SentMail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly bodyText: string;
  readonly attachments?: readonly unknown[];
}

type Run = (args: JsonObject) => unknown;

/** An error of a tool in Bron's format. */
export class ToolFailure extends Error {}

export interface MailHarness {
  readonly declarations: readonly FunctionDeclaration[];
  readonly tools: readonly TestTool[];
  readonly drafts: Map<string, SentMail>;
  readonly sent: SentMail[];
  /** All calls with their arguments. */
  readonly calls: { readonly name: string; readonly args: JsonObject }[];
  /** The content of the functionResponse for a call. */
  respond(name: string, args: JsonObject): JsonObject;
}

const today = Date.parse("2026-11-15T09:00:00Z");
const sentAt = "2026-11-15T09:30:00.000Z";

/** Tools that behave like Bron's over a list of emails, optionally under the alternative names. */
export function createMailHarness(
  mails: readonly TestMail[],
  {
    overrides = {},
    hasAlternativeNames = false,
    without = [],
  }: {
    overrides?: Readonly<Record<string, Run>>;
    hasAlternativeNames?: boolean;
    without?: readonly string[];
  } = {},
): MailHarness {
  const drafts = new Map<string, SentMail>();
  const sent: SentMail[] = [];
  const calls: MailHarness["calls"] = [];
  const view = (mail: TestMail) => ({
    messageId: `m${mails.indexOf(mail)}`,
    threadId: `t${mails.indexOf(mail)}`,
    from: mail.from,
    to: "me@home.example",
    cc: "",
    subject: mail.subject,
    date: new Date(today - mail.daysOld * 86_400_000).toISOString(),
    text: mail.text,
    attachments: (mail.files ?? []).map(({ filename, mimeType }, index) => ({
      filename,
      mimeType,
      sizeBytes: 100,
      attachmentId: `a${index}`,
    })),
  });
  const find = (id: unknown) =>
    mails.find((mail) => view(mail).messageId === id || view(mail).threadId === id) ??
    fail("not_found: There is no such message.");
  const send = (mail: SentMail, threadId = "t-new") => ({
    sentMessageId: `s${sent.push(mail)}`,
    threadId,
    sentAt,
  });
  const runs: Readonly<Record<string, Run>> = {
    gmail_search: ({ query, maxResults = 10 }) => {
      const matches = mails
        .filter((mail) => matchesQuery(String(query), mail))
        .toSorted((a, b) => a.daysOld - b.daysOld);
      const shown = matches.slice(0, Number(maxResults)).map((mail) => ({
        ...view(mail),
        snippet: mail.text.slice(0, 80),
        attachments: (mail.files ?? []).map(({ filename }) => filename),
      }));
      return { query, found: shown.length, more: matches.length > shown.length, matches: shown };
    },
    gmail_thread_read: ({ threadId }) => ({ threadId, messages: [view(find(threadId))] }),
    gmail_message_read: ({ messageId }) => view(find(messageId)),
    gmail_attachment_get: ({ messageId, filename }) => {
      const file =
        find(messageId).files?.find((one) => one.filename === filename) ??
        fail("not_found: This message has no such attachment.");
      return {
        artifactId: "x",
        digest: `sha256:${String(messageId)}/${file.filename}`,
        filename: file.filename,
        mimeType: file.mimeType,
        sizeBytes: 100,
        messageId,
      };
    },
    document_read: ({ digest }) =>
      fileOf(mails, String(digest))?.content ?? fail("not_found: There is no such artifact."),
    document_fields: ({ digest, fields }) => {
      const text = JSON.stringify(fileOf(mails, String(digest))?.content).replace(
        /\\[nt]|\s+/g,
        " ",
      );
      const checked = (fields as readonly { key: string; value: string }[]).map((field) => ({
        ...field,
        found: text.includes(JSON.stringify(field.value).slice(1, -1)),
      }));
      return {
        artifactId: "y",
        foundCount: checked.filter(({ found }) => found).length,
        fieldCount: checked.length,
        fields: checked,
      };
    },
    gmail_draft_create: (args) => {
      const draftId = `d${drafts.size + 1}`;
      drafts.set(draftId, args as unknown as SentMail);
      return { draftId, to: args["to"], subject: args["subject"] };
    },
    gmail_draft_send: ({ draftId }) =>
      send(drafts.get(String(draftId)) ?? fail("not_found: There is no such draft.")),
    gmail_send: (args) => send(args as unknown as SentMail),
    gmail_forward: ({ messageId, to, note = "" }) =>
      send({
        to: to as string[],
        subject: `Fwd: ${find(messageId).subject}`,
        bodyText: `${String(note)}${find(messageId).text}`,
      }),
    gmail_reply: ({ threadId, bodyText }) =>
      send(
        {
          to: [find(threadId).from],
          subject: `Re: ${find(threadId).subject}`,
          bodyText: String(bodyText),
        },
        String(threadId),
      ),
  };
  const offered = Object.keys(runs)
    .flatMap((name) => (hasAlternativeNames ? (alternativeNames[name] ?? []) : [name]))
    .filter((name) => !without.includes(name));
  const runOf = (name: string) =>
    overrides[name] ??
    runs[
      Object.entries(alternativeNames).find(
        ([, names]) => hasAlternativeNames && names.includes(name),
      )?.[0] ?? name
    ] ??
    fail("unknown tool");
  const execute = (name: string, args: JsonObject): LanguageModelV4ToolResultOutput => {
    calls.push({ name, args });
    try {
      return { type: "json", value: runOf(name)(args) as never };
    } catch (error) {
      const message = error instanceof ToolFailure ? error.message : String(error);
      return message.startsWith("denied: ")
        ? { type: "execution-denied", reason: message.slice(8) }
        : { type: "error-text", value: message };
    }
  };
  const schemas = offered.map((name) => ({
    name,
    schema: schemaOf(
      Object.entries(alternativeNames).find(([, names]) => names.includes(name))?.[0] ?? name,
    ),
  }));
  return {
    drafts,
    sent,
    calls,
    declarations: schemas.map(({ name, schema }) => ({ name, parametersJsonSchema: schema })),
    tools: schemas.map(({ name, schema }) => ({
      declaration: {
        type: "function",
        name,
        description: name,
        inputSchema: schema as LanguageModelV4FunctionTool["inputSchema"],
      },
      run: (args) => execute(name, args),
    })),
    respond: (name, args) => {
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

const alternativeNames: Readonly<Record<string, readonly string[]>> = {
  gmail_search: ["gmail_search"],
  gmail_message_read: ["gmail_getMessage"],
  gmail_attachment_get: ["gmail_getAttachment"],
  gmail_draft_create: ["gmail_createDraft"],
  gmail_draft_send: ["gmail_sendDraft"],
  document_read: ["document_read"],
  document_fields: ["document_fields"],
};

const parameters: Readonly<
  Record<string, { readonly required: readonly string[]; readonly optional?: readonly string[] }>
> = {
  gmail_search: { required: ["query"], optional: ["maxResults"] },
  gmail_thread_read: { required: ["threadId"] },
  gmail_message_read: { required: ["messageId"] },
  gmail_attachment_get: { required: ["messageId"], optional: ["attachmentId", "filename"] },
  document_read: { required: ["digest"], optional: ["name", "mediaType"] },
  document_fields: { required: ["digest", "fields"], optional: ["source"] },
  gmail_draft_create: {
    required: ["to", "subject", "bodyText"],
    optional: ["cc", "bcc", "attachments", "threadId"],
  },
  gmail_draft_send: { required: ["draftId"] },
  gmail_send: { required: ["to", "subject", "bodyText"], optional: ["cc", "bcc", "attachments"] },
  gmail_forward: { required: ["messageId", "to"], optional: ["cc", "bcc", "note"] },
  gmail_reply: { required: ["threadId", "bodyText"], optional: ["everyone", "attachments"] },
};

function schemaOf(name: string): JsonObject {
  const { required = [], optional = [] } = parameters[name] ?? {};
  return {
    type: "object",
    properties: Object.fromEntries([...required, ...optional].map((key) => [key, {}])),
    required,
    additionalProperties: false,
  };
}

function fileOf(mails: readonly TestMail[], digest: string): TestFile | undefined {
  const [, index, filename] = /^sha256:m(\d+)\/(.+)$/.exec(digest) ?? [];
  return mails[Number(index)]?.files?.find((file) => file.filename === filename);
}

function fail(message: string): never {
  throw new ToolFailure(message);
}

/** The part of Gmail's search that the model's queries use. */
function matchesQuery(query: string, mail: TestMail): boolean {
  const terms = query.match(/\{[^}]*\}|-?\w+:"[^"]*"|"[^"]*"|\S+/g) ?? [];
  return terms.every((term) => {
    if (term.startsWith("{"))
      return (term.slice(1, -1).match(/\w+:\S+|"[^"]*"|\S+/g) ?? []).some((one) =>
        matchesTerm(one, mail),
      );
    return term.startsWith("-") ? !matchesTerm(term.slice(1), mail) : matchesTerm(term, mail);
  });
}

function matchesTerm(term: string, mail: TestMail): boolean {
  const [, operator, rest] = /^(\w+):(.*)$/s.exec(term) ?? [];
  const value = foldText((rest ?? term).replaceAll('"', ""));
  const names = (mail.files ?? []).map(({ filename }) => filename).join(" ");
  const has = (text: string) => foldText(text).includes(value);
  switch (operator) {
    case undefined:
      return has([mail.from, mail.subject, mail.text, names].join(" "));
    case "from":
      return value !== "me" && has(mail.from);
    case "subject":
      return has(mail.subject);
    case "filename":
      return has(names);
    case "has":
      return names !== "";
    case "is":
      return value !== "unread" || mail.isUnread === true;
    case "newer_than":
      return (
        mail.daysOld <=
        Number.parseInt(value, 10) * ({ d: 1, m: 30, y: 365, h: 1 / 24 }[value.slice(-1)] ?? 1)
      );
    default:
      return true;
  }
}
