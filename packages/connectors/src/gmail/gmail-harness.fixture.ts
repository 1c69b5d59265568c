import { randomUUID } from "node:crypto";
import { noLabels, type EffectContext } from "@bron/core";
import type { gmail_v1 } from "@googleapis/gmail";
import type { GmailClient } from "../google/gmail-service.ts";
import type { GmailDeps } from "./gmail-deps.ts";

type Message = gmail_v1.Schema$Message;

interface KeptMail {
  readonly id: string;
  readonly threadId: string;
  readonly raw: string;
}

export interface GmailHarness {
  readonly deps: GmailDeps;
  /** Every request, in order. */
  readonly asked: string[];
  readonly drafts: Map<string, KeptMail>;
  readonly sent: KeptMail[];
  /** Messages that `messages.get` and `threads.get` return in addition to drafts and sent mail. */
  readonly messages: Map<string, Message>;
  /** Replaces the server's `drafts.send`. Call `next` to run the original. */
  onSend: (next: () => { data: Message }) => { data: Message };
  context(changes?: Partial<EffectContext>): EffectContext;
}

/**
 * An in-process Gmail with the methods that drafts and sending need. It responds at once and never
 * fails by itself.
 */
export function createGmailHarness({
  account = "me@x.example",
}: { readonly account?: string } = {}): GmailHarness {
  const asked: string[] = [];
  const drafts = new Map<string, KeptMail>();
  const sent: KeptMail[] = [];
  const messages = new Map<string, Message>();
  const keep = ({
    raw,
    threadId,
  }: { raw?: string | null; threadId?: string | null } = {}): KeptMail => ({
    id: randomUUID(),
    threadId: threadId ?? randomUUID(),
    raw: raw ?? "",
  });
  const view = (mail: KeptMail): Message => ({
    id: mail.id,
    threadId: mail.threadId,
    internalDate: "1700000000000",
    payload: { headers: headersOf(mail.raw) },
  });
  const matching = (kept: readonly KeptMail[], query: string) => {
    const wanted = /rfc822msgid:(\S+)/.exec(query)?.[1];
    return wanted === undefined
      ? kept
      : kept.filter(({ raw }) =>
          headersOf(raw).some(
            ({ name, value }) => name?.toLowerCase() === "message-id" && value === wanted,
          ),
        );
  };
  const missing = () =>
    Promise.reject(
      Object.assign(new Error("Not found"), {
        response: { status: 404, data: { error: { message: "Not found" } } },
      }),
    );
  const harness: GmailHarness = {
    asked,
    drafts,
    sent,
    messages,
    deps: undefined as never,
    onSend: (next) => next(),
    context: (changes = {}) => ({
      runId: "r",
      ownerId: "o",
      actionId: "a",
      bronId: "bron",
      place: null,
      labels: () => Promise.resolve(noLabels),
      effectId: "e",
      attempt: 1,
      maxAttachmentBytes: 20 * 1024 * 1024,
      signal: new AbortController().signal,
      log: () => undefined,
      showCard: () => undefined,
      requireApproval: () => Promise.resolve(),
      evidence: undefined,
      ask: () => Promise.resolve(undefined),
      keepEvidence: () => Promise.resolve(),
      keepPrevious: () => Promise.resolve(),
      readArtifact: () => Promise.resolve(undefined),
      readOutput: () => Promise.resolve(undefined),
      readSkill: () => Promise.resolve(undefined),
      writersOf: () => Promise.resolve([]),
      reportProgress: () => undefined,
      saveArtifact: () => Promise.resolve({ artifactId: "a", digest: "d" }),
      ...changes,
    }),
  };
  const users = {
    drafts: {
      create({ requestBody }: { requestBody: { message: Message } }) {
        asked.push("drafts.create");
        const mail = keep(requestBody.message);
        drafts.set(`draft-${drafts.size + 1}-${mail.id}`, mail);
        return Promise.resolve({ data: { id: [...drafts.keys()].at(-1) } });
      },
      get({ id }: { id: string }) {
        asked.push("drafts.get");
        const mail = drafts.get(id);
        return mail
          ? Promise.resolve({
              data: { id, message: { id: mail.id, threadId: mail.threadId, raw: mail.raw } },
            })
          : missing();
      },
      list({ q = "" }: { q?: string }) {
        asked.push("drafts.list");
        const found = new Set(matching([...drafts.values()], q));
        return Promise.resolve({
          data: {
            drafts: [...drafts]
              .filter(([, mail]) => found.has(mail))
              .map(([id, mail]) => ({ id, message: { id: mail.id, threadId: mail.threadId } })),
          },
        });
      },
      delete({ id }: { id: string }) {
        asked.push("drafts.delete");
        return drafts.delete(id) ? Promise.resolve({ data: {} }) : missing();
      },
      send: async ({
        requestBody: { id, message },
      }: {
        requestBody: { id: string; message: Message };
      }) => {
        asked.push("drafts.send");
        if (!drafts.has(id)) return await missing();
        const next = () => {
          drafts.delete(id);
          const mail = keep(message);
          sent.push(mail);
          return { data: view(mail) };
        };
        return await Promise.resolve(harness.onSend(next));
      },
    },
    messages: {
      list({ q = "" }: { q?: string }) {
        asked.push("messages.list");
        return Promise.resolve({
          data: { messages: matching(sent, q).map(({ id, threadId }) => ({ id, threadId })) },
        });
      },
      get({ id }: { id: string }) {
        asked.push("messages.get");
        const mail = [...drafts.values(), ...sent].find((candidate) => candidate.id === id);
        const message = messages.get(id) ?? (mail && view(mail));
        return message ? Promise.resolve({ data: message }) : missing();
      },
      attachments: {
        get() {
          asked.push("attachments.get");
          return Promise.resolve({ data: { data: Buffer.from("bytes").toString("base64url") } });
        },
      },
    },
    threads: {
      get({ id }: { id: string }) {
        asked.push("threads.get");
        return Promise.resolve({
          data: { id, messages: [...messages.values()].filter(({ threadId }) => threadId === id) },
        });
      },
    },
  };
  const client = { gmail: { users } } as unknown as GmailClient;
  const deps: GmailDeps = {
    accounts: { access: () => Promise.resolve({ account, accessToken: "t", scopes: [] }) },
    service: { name: "Gmail", scopes: [], connect: () => Promise.resolve(client) },
    clock: {
      now: () => Date.now(),
      monotonic: () => performance.now(),
      random: () => 0.5,
      sleep: () => Promise.resolve(),
    },
    times: { draftMs: 15_000, sendMs: 30_000, eventMs: 1, searchDelaysMs: [0] },
    knownPeople: () => Promise.resolve([]),
    peopleNamed: () => Promise.resolve([]),
  };
  return Object.assign(harness, { deps });
}

function headersOf(raw: string): gmail_v1.Schema$MessagePartHeader[] {
  const [head = ""] = Buffer.from(raw, "base64url").toString("utf8").split("\r\n\r\n", 1);
  return head
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n")
    .map((line) => ({
      name: line.slice(0, line.indexOf(":")),
      value: line.slice(line.indexOf(":") + 1).trim(),
    }));
}
