import { omitUndefined } from "@bron/protocol";
import { notFound } from "../api-error.ts";
import { gmailScopes } from "../oauth/scopes.ts";
import type { StoredMessage } from "../state/mailbox.ts";
import { findMessages } from "./find-messages.ts";
import {
  draftBody,
  readBody,
  readMessage,
  type GmailCall,
  type GmailMethod,
} from "./gmail-method.ts";
import { listPage } from "./list-page.ts";
import { allowedFormat, positioned } from "./message-methods.ts";
import { labeledReference, messageReference, messageResource } from "./message-resource.ts";
import { saveDraft } from "./save-draft.ts";
import { removeDraft, sendMail } from "./send-mail.ts";

const { all, modify, readonly: read, compose } = gmailScopes;

export const draftMethods: readonly GmailMethod[] = [
  {
    name: "gmail.users.drafts.list",
    verb: "GET",
    path: "/drafts",
    scopes: [all, modify, read, compose],
    query: ["q", "includeSpamTrash", "maxResults", "pageToken"],
    serve: (call) => {
      const ids = new Map(
        [...call.mailbox.drafts].map(([draftId, messageId]) => [messageId, draftId]),
      );
      const found = findMessages(call.mailbox, call.query, call.now).filter(({ id }) =>
        ids.has(id),
      );
      const { items, nextPageToken } = listPage(found.map(positioned), call.query);
      const drafts = items.map(({ message }) => ({
        id: ids.get(message.id),
        message: messageReference(message),
      }));
      return {
        ...(drafts.length === 0 ? {} : { drafts }),
        ...omitUndefined({ nextPageToken }),
        resultSizeEstimate: found.length,
      };
    },
  },
  {
    name: "gmail.users.drafts.create",
    verb: "POST",
    path: "/drafts",
    scopes: [all, modify, compose],
    serve: (call) => {
      const { state, mailbox, now } = call;
      const message = readMessage(readBody(draftBody, call.body).message);
      return draftReference(call, saveDraft(state, { mailbox, ...message, now, call: call.call }));
    },
  },
  {
    name: "gmail.users.drafts.send",
    verb: "POST",
    path: "/drafts/send",
    scopes: [all, modify, compose],
    serve: async (call) => {
      const { state, mailbox, senderName, now } = call;
      const { id: draftId = "", message } = readBody(draftBody, call.body);
      const draft = findDraft(call, draftId);
      const replacement = message?.raw === undefined ? undefined : readMessage(message);
      const raw = replacement?.raw ?? (await draft.content.raw());
      // A draft in an existing thread is sent into it. A draft that started its own thread names
      // none.
      const isReply = mailbox.thread(draft.threadId).length > 1;
      const threadId = replacement?.threadId ?? (isReply ? draft.threadId : undefined);
      // Another call may have sent the draft while this one was reading.
      if (mailbox.drafts.get(draftId) !== draft.id) throw notFound();
      const sent = sendMail(state, {
        mailbox,
        senderName,
        raw,
        draftId,
        now,
        by: "app",
        call: call.call,
        ...omitUndefined({ threadId }),
      });
      return labeledReference(sent);
    },
  },
  {
    name: "gmail.users.drafts.get",
    verb: "GET",
    path: "/drafts/{id}",
    scopes: [all, modify, read, compose],
    query: ["format"],
    serve: async (call) => {
      const draft = findDraft(call, call.params.id);
      // The compose scope allows an app to read complete drafts.
      const scopes = [...call.scopes, ...(call.scopes.includes(compose) ? [read] : [])];
      return {
        id: call.params.id,
        message: await messageResource(draft, allowedFormat({ ...call, scopes })),
      };
    },
  },
  {
    name: "gmail.users.drafts.update",
    verb: "PUT",
    path: "/drafts/{id}",
    scopes: [all, modify, compose],
    serve: (call) => {
      const { state, mailbox, now } = call;
      const draftId = call.params.id ?? "";
      const draft = findDraft(call, draftId);
      const message = readMessage(readBody(draftBody, call.body).message);
      const threadId =
        message.threadId ??
        (mailbox.thread(draft.threadId).length > 1 ? draft.threadId : undefined);
      saveDraft(state, {
        mailbox,
        draftId,
        raw: message.raw,
        now,
        call: call.call,
        ...omitUndefined({ threadId }),
      });
      return draftReference(call, draftId);
    },
  },
  {
    name: "gmail.users.drafts.delete",
    verb: "DELETE",
    path: "/drafts/{id}",
    scopes: [all, modify, compose],
    serve: (call) => {
      findDraft(call, call.params.id);
      call.state.commit(removeDraft(call.mailbox, call.params.id), call.call);
      return undefined;
    },
  },
];

function findDraft({ mailbox }: GmailCall, draftId: string | undefined): StoredMessage {
  const message = mailbox.message(mailbox.drafts.get(draftId ?? "") ?? "");
  if (!message) throw notFound();
  return message;
}

function draftReference(call: GmailCall, draftId: string): unknown {
  return { id: draftId, message: labeledReference(findDraft(call, draftId)) };
}
