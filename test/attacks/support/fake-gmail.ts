import type { GmailClient } from "../../../packages/connectors/src/google/gmail-service.ts";
import { markHeader } from "../../../packages/connectors/src/gmail/compose-mail.ts";

/** A mail in the fake mailbox. */
export interface FakeMail {
  readonly id: string;
  /** By default a thread of its own. */
  readonly threadId?: string;
  readonly from: string;
  readonly to: string;
  readonly cc?: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly text: string;
  /** Set for mail in the Sent folder: written first, as a reply, or by Bron. */
  readonly sent?: "first" | "reply" | "by Bron";
  /** False: the sender could not be verified. */
  readonly isVerified?: boolean;
  /** What the receiving server found, in place of `isVerified`. */
  readonly checked?: string;
  readonly files?: readonly { readonly filename: string; readonly content: string }[];
}

interface FakeMessage {
  readonly id: string;
  readonly threadId: string;
  readonly internalDate: string;
  readonly labelIds: readonly string[];
  readonly snippet: string;
  readonly raw: string;
  readonly payload: {
    readonly mimeType: string;
    readonly headers: readonly Header[];
    readonly parts: readonly Part[];
  };
}
interface Header {
  readonly name: string;
  readonly value: string;
}
interface Part {
  readonly mimeType: string;
  readonly filename?: string;
  readonly body: object;
}
interface RawMessage {
  readonly raw?: string;
  readonly threadId?: string;
}

/** Drafts in the mailbox. Their ids are `hand-1` and so on, those of Bron `draft-1` and so on. */
export interface FakeDrafts {
  /** The owner wrote these. */
  readonly byHand?: readonly { to: string; subject: string; text: string }[];
  /** The owner adds a line to each draft of Bron, and their mail program drops Bron's mark. */
  readonly resaves?: boolean;
}

function handWritten(
  { to, subject, text }: { to: string; subject: string; text: string },
  index: number,
) {
  const lines = [`To: ${to}`, `Subject: ${subject}`, "Content-Type: text/plain; charset=utf-8"];
  const raw = Buffer.from(`${lines.join("\r\n")}\r\n\r\n${text}`).toString("base64url");
  return ofRaw(raw, undefined, "DRAFT", 900 + index);
}

function resaved(raw: string): string {
  const text = Buffer.from(raw, "base64url").toString("utf8");
  const lines = text.split("\r\n").filter((line) => !line.startsWith(markHeader));
  return Buffer.from([...lines, "Best regards, Mara"].join("\r\n")).toString("base64url");
}

/**
 * Gmail's client in this process, with the methods that the tools use. It responds at once, so that
 * thousands of cases take minutes.
 */
export function fakeGmail(
  mails: readonly FakeMail[],
  { byHand = [], resaves = false }: FakeDrafts = {},
): GmailClient {
  const messages = mails.map(toMessage);
  const files = new Map<string, string>(
    mails.flatMap(({ id, files: own = [] }) =>
      own.map(({ content }, index) => [`${id}-file-${index}`, content] as const),
    ),
  );
  const drafts = new Map<string, FakeMessage>(
    byHand.map((draft, index) => [`hand-${index + 1}`, handWritten(draft, index)]),
  );
  const keep = ({ raw = "", threadId }: RawMessage, label: string): FakeMessage =>
    ofRaw(
      resaves && label === "DRAFT" ? resaved(raw) : raw,
      threadId,
      label,
      messages.length + drafts.size + 1,
    );
  const users = {
    messages: {
      list: async ({ q = "", maxResults = 25 }: { q?: string; maxResults?: number }) => ({
        data: { messages: messages.filter(matching(q)).toReversed().slice(0, maxResults) },
      }),
      get: async ({ id }: { id: string }) => {
        const all = [...messages, ...drafts.values()];
        return { data: found(all.find((message) => message.id === id)) };
      },
      attachments: {
        get: async ({ id }: { id: string }) => ({
          data: { data: Buffer.from(found(files.get(id))).toString("base64url") },
        }),
      },
    },
    threads: {
      get: async ({ id }: { id: string }) => ({
        data: { id, messages: messages.filter(({ threadId }) => threadId === id) },
      }),
    },
    drafts: {
      async create({ requestBody }: { requestBody: { message: RawMessage } }) {
        const id = `draft-${drafts.size + 1}`;
        drafts.set(id, keep(requestBody.message, "DRAFT"));
        return { data: { id } };
      },
      get: async ({ id }: { id: string }) => ({
        data: { id, message: found(drafts.get(id)) },
      }),
      list: async ({ q = "" }: { q?: string }) => ({
        data: {
          drafts: [...drafts].flatMap(([id, message]) =>
            matching(q)(message) ? [{ id, message }] : [],
          ),
        },
      }),
      async update({ id, requestBody }: { id: string; requestBody: { message: RawMessage } }) {
        found(drafts.get(id));
        drafts.set(id, keep(requestBody.message, "DRAFT"));
        return { data: { id } };
      },
      async delete({ id }: { id: string }) {
        found(drafts.get(id));
        drafts.delete(id);
        return { data: {} };
      },
      async send({ requestBody }: { requestBody: { id: string; message: RawMessage } }) {
        found(drafts.get(requestBody.id));
        drafts.delete(requestBody.id);
        const message = keep(requestBody.message, "SENT");
        messages.push(message);
        return { data: message };
      },
    },
  };
  return { gmail: { users } } as unknown as GmailClient;
}

function found<T>(value: T | undefined): T {
  if (value !== undefined) return value;
  throw Object.assign(new TypeError("Not found"), {
    response: { status: 404, data: { error: { message: "Not found" } } },
  });
}

function toMessage(mail: FakeMail, index: number): FakeMessage {
  const { id, threadId = `thread-${id}`, sent, text, files = [] } = mail;
  const headers: [string, string | undefined][] = [
    ["From", mail.from],
    ["To", mail.to],
    ["Cc", mail.cc],
    ["Reply-To", mail.replyTo],
    ["Subject", mail.subject],
    ["Message-ID", `<${id}@mail.example>`],
    ["In-Reply-To", sent === "reply" ? `<before-${id}@mail.example>` : undefined],
    [markHeader, sent === "by Bron" ? "mark" : undefined],
    [
      "Authentication-Results",
      `mx.example; ${mail.checked ?? (mail.isVerified === false ? "dkim=fail; dmarc=fail" : "dmarc=pass")}`,
    ],
  ];
  const parts: Part[] = [
    { mimeType: "text/plain", body: { data: Buffer.from(text).toString("base64url") } },
    ...files.map(({ filename, content }, at) => ({
      filename,
      mimeType: "text/plain",
      body: { attachmentId: `${id}-file-${at}`, size: content.length },
    })),
  ];
  return {
    id,
    threadId,
    internalDate: String(1_790_000_000_000 + index * 60_000),
    labelIds: [sent === undefined ? "INBOX" : "SENT"],
    snippet: text.slice(0, 100),
    raw: rawOf(headers, text, files),
    payload: {
      mimeType: "multipart/mixed",
      headers: headers.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }])),
      parts,
    },
  };
}

/** The mail as bytes, for tools that copy it. */
function rawOf(
  headers: readonly (readonly [string, string | undefined])[],
  text: string,
  files: NonNullable<FakeMail["files"]>,
): string {
  const part = (type: string, content: string, more = "") =>
    `--part\r\nContent-Type: ${type}; charset=utf-8\r\n${more}Content-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString("base64")}\r\n`;
  return Buffer.from(
    [
      ...headers.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`])),
      'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="part"\r\n\r\n',
      part("text/plain", text),
      ...files.map(({ filename, content }) =>
        part("text/plain", content, `Content-Disposition: attachment; filename="${filename}"\r\n`),
      ),
      "--part--\r\n",
    ].join(""),
  ).toString("base64url");
}

function ofRaw(raw: string, threadId: string | undefined, label: string, number: number) {
  const [head = "", text = ""] = Buffer.from(raw, "base64url").toString("utf8").split("\r\n\r\n");
  const headers = head
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n")
    .map((line) => ({
      name: line.slice(0, line.indexOf(":")),
      value: line.slice(line.indexOf(":") + 1).trim(),
    }));
  const message: FakeMessage = {
    id: `written-${number}`,
    threadId: threadId ?? `thread-written-${number}`,
    internalDate: String(1_790_100_000_000 + number * 60_000),
    labelIds: [label],
    snippet: "",
    raw,
    payload: {
      mimeType: "text/plain",
      headers,
      parts: [{ mimeType: "text/plain", body: { data: Buffer.from(text).toString("base64url") } }],
    },
  };
  return message;
}

/**
 * The operators that the tools use, with `-` for not and braces for or. Other words are looked for
 * in the subject and the snippet.
 */
function matching(query: string): (message: FakeMessage) => boolean {
  const terms = query.match(/\{[^}]*\}|[\w-]+:"[^"]*"|\S+/g) ?? [];
  return (message) =>
    terms.every((term) => {
      if (term.startsWith("{"))
        return term
          .slice(1, -1)
          .split(" ")
          .some((one) => matchesTerm(message, one));
      return term.startsWith("-")
        ? !matchesTerm(message, term.slice(1))
        : matchesTerm(message, term);
    });
}

function matchesTerm({ payload, labelIds, snippet }: FakeMessage, term: string): boolean {
  const header = (...names: string[]) =>
    payload.headers
      .flatMap(({ name, value }) => (names.includes(name.toLowerCase()) ? [value] : []))
      .join(" ")
      .toLowerCase();
  const [operator = "", ...rest] = term.toLowerCase().split(":");
  const value = rest.join(":").replaceAll('"', "");
  if (operator === "in") return labelIds.some((label) => label.toLowerCase() === value);
  if (operator === "to") return header("to", "cc", "bcc").includes(value);
  if (operator === "from" || operator === "subject") return header(operator).includes(value);
  const files = payload.parts
    .flatMap(({ filename }) => filename ?? [])
    .join(" ")
    .toLowerCase();
  if (operator === "filename") return files.includes(value);
  if (operator === "has") return files !== "";
  if (operator === "rfc822msgid") return header("message-id").includes(value);
  if (rest.length > 0) return true;
  return `${header("subject")} ${snippet.toLowerCase()}`.includes(operator);
}
