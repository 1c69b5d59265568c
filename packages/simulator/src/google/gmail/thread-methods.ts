import { omitUndefined } from "@bron/protocol";
import { badRequest, notFound } from "../api-error.ts";
import { snippetOf } from "../mime/message-text.ts";
import { gmailScopes } from "../oauth/scopes.ts";
import type { StoredMessage } from "../state/mailbox.ts";
import { findMessages } from "./find-messages.ts";
import type { GmailCall, GmailMethod } from "./gmail-method.ts";
import { listPage } from "./list-page.ts";
import {
  allowedFormat,
  changeLabels,
  forbidQuery,
  readLabelChange,
  trashing,
  untrashing,
  type LabelChange,
} from "./message-methods.ts";
import { messageResource } from "./message-resource.ts";

const { all, modify, readonly: read, metadata } = gmailScopes;

export const threadMethods: readonly GmailMethod[] = [
  {
    name: "gmail.users.threads.list",
    verb: "GET",
    path: "/threads",
    scopes: [all, modify, read, metadata],
    query: ["q", "labelIds", "includeSpamTrash", "maxResults", "pageToken"],
    serve: (call) => {
      forbidQuery(call);
      const newest = new Map<string, StoredMessage>();
      for (const message of findMessages(call.mailbox, call.query, call.now))
        if (!newest.has(message.threadId)) newest.set(message.threadId, message);
      const found = [...newest].map(([id, message]) => ({
        id,
        position: message.internalDate,
        message,
      }));
      found.sort((a, b) => b.position - a.position || (a.id < b.id ? 1 : -1));
      const { items, nextPageToken } = listPage(found, call.query);
      const threads = items.map(({ id, message }) => ({
        id,
        snippet: snippetOf(message.content.facts().text),
        historyId: threadHistoryId(call.mailbox.thread(id)),
      }));
      return {
        ...(threads.length === 0 ? {} : { threads }),
        ...omitUndefined({ nextPageToken }),
        resultSizeEstimate: found.length,
      };
    },
  },
  {
    name: "gmail.users.threads.get",
    verb: "GET",
    path: "/threads/{id}",
    scopes: [all, modify, read, metadata],
    query: ["format", "metadataHeaders"],
    serve: async (call) => {
      const format = allowedFormat(call, ["full", "metadata", "minimal"]);
      const messages = findThreadMessages(call);
      const resources = messages.map((message) =>
        messageResource(message, format, call.query.getAll("metadataHeaders")),
      );
      return {
        id: call.params.id,
        historyId: threadHistoryId(messages),
        messages: await Promise.all(resources),
      };
    },
  },
  changing("gmail.users.threads.modify", "modify", ({ body }) => readLabelChange(body)),
  changing("gmail.users.threads.trash", "trash", () => trashing),
  changing("gmail.users.threads.untrash", "untrash", () => untrashing),
];

function changing(
  name: string,
  verb: string,
  change: (call: GmailCall) => LabelChange,
): GmailMethod {
  return {
    name,
    verb: "POST",
    path: `/threads/{id}/${verb}`,
    scopes: [all, modify],
    serve: (call) => ({
      id: call.params.id,
      messages: changeLabels(call, findThreadMessages(call), change(call)),
    }),
  };
}

function findThreadMessages({ mailbox, params, now }: GmailCall): readonly StoredMessage[] {
  if (!/^[0-9a-f]{1,16}$/i.test(params.id ?? "")) throw badRequest("Invalid thread_id");
  const messages = mailbox
    .thread(params.id ?? "")
    .filter(({ visibleAt }) => visibleAt <= now.getTime());
  if (messages.length === 0) throw notFound();
  return messages;
}

const threadHistoryId = (messages: readonly StoredMessage[]) =>
  String(Math.max(...messages.map(({ historyId }) => historyId)));
