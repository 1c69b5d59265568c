import { omitUndefined } from "@bron/protocol";
import { badRequest, gmailError, notFound } from "../api-error.ts";
import { gmailScopes } from "../oauth/scopes.ts";
import type { StoredMessage } from "../state/mailbox.ts";
import { findMessages } from "./find-messages.ts";
import {
  findMessage,
  labelsBody,
  readBody,
  readMessage,
  type GmailCall,
  type GmailMethod,
} from "./gmail-method.ts";
import { isChangeable } from "./labels.ts";
import { listPage } from "./list-page.ts";
import {
  findAttachment,
  labeledReference,
  messageReference,
  messageResource,
  readFormat,
  type MessageFormat,
} from "./message-resource.ts";
import { sendMail } from "./send-mail.ts";

const { all, modify, readonly: read, metadata, compose, send } = gmailScopes;

export const messageMethods: readonly GmailMethod[] = [
  {
    name: "gmail.users.messages.list",
    verb: "GET",
    path: "/messages",
    scopes: [all, modify, read, metadata],
    query: ["q", "labelIds", "includeSpamTrash", "maxResults", "pageToken"],
    serve: (call) => {
      forbidQuery(call);
      const found = findMessages(call.mailbox, call.query, call.now);
      const { items, nextPageToken } = listPage(found.map(positioned), call.query);
      return {
        ...(items.length === 0
          ? {}
          : { messages: items.map(({ message }) => messageReference(message)) }),
        ...omitUndefined({ nextPageToken }),
        resultSizeEstimate: found.length,
      };
    },
  },
  {
    name: "gmail.users.messages.get",
    verb: "GET",
    path: "/messages/{id}",
    scopes: [all, modify, read, metadata],
    query: ["format", "metadataHeaders"],
    serve: (call) => {
      const format = allowedFormat(call);
      return messageResource(
        findMessage(call, call.params.id),
        format,
        call.query.getAll("metadataHeaders"),
      );
    },
  },
  {
    name: "gmail.users.messages.attachments.get",
    verb: "GET",
    path: "/messages/{messageId}/attachments/{id}",
    scopes: [all, modify, read],
    serve: async (call) => {
      const bytes = await findAttachment(
        findMessage(call, call.params.messageId),
        call.params.id ?? "",
      );
      if (!bytes) throw badRequest("Invalid attachment token");
      return { size: bytes.length, data: bytes.toString("base64url") };
    },
  },
  {
    name: "gmail.users.messages.send",
    verb: "POST",
    path: "/messages/send",
    scopes: [all, modify, compose, send],
    serve: ({ state, mailbox, senderName, body, now, call }) =>
      labeledReference(
        sendMail(state, { mailbox, senderName, ...readMessage(body), now, by: "app", call }),
      ),
  },
  {
    name: "gmail.users.messages.modify",
    verb: "POST",
    path: "/messages/{id}/modify",
    scopes: [all, modify],
    serve: (call) =>
      changeLabels(call, [findMessage(call, call.params.id)], readLabelChange(call.body))[0],
  },
  {
    name: "gmail.users.messages.trash",
    verb: "POST",
    path: "/messages/{id}/trash",
    scopes: [all, modify],
    serve: (call) => changeLabels(call, [findMessage(call, call.params.id)], trashing)[0],
  },
  {
    name: "gmail.users.messages.untrash",
    verb: "POST",
    path: "/messages/{id}/untrash",
    scopes: [all, modify],
    serve: (call) => changeLabels(call, [findMessage(call, call.params.id)], untrashing)[0],
  },
];

export interface LabelChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export const trashing: LabelChange = { add: ["TRASH"], remove: ["INBOX"] };
export const untrashing: LabelChange = { add: [], remove: ["TRASH"] };

export function readLabelChange(body: unknown): LabelChange {
  const { addLabelIds: add = [], removeLabelIds: remove = [] } = readBody(labelsBody, body);
  if (add.length + remove.length === 0) throw badRequest("No label add or removes specified");
  const wrong = [...add, ...remove].find((id) => !isChangeable(id));
  if (wrong !== undefined) throw badRequest(`Invalid label: ${wrong}`);
  return { add, remove };
}

export function changeLabels(
  { state, mailbox, call }: GmailCall,
  messages: readonly StoredMessage[],
  { add, remove }: LabelChange,
): unknown[] {
  const changes = messages.map(({ id, labelIds }) => ({
    type: "labels" as const,
    account: mailbox.address,
    id,
    labelIds: [...new Set([...labelIds.filter((label) => !remove.includes(label)), ...add])],
  }));
  state.commit(changes, call);
  return messages.map(({ id }) => {
    const message = mailbox.message(id);
    if (!message) throw notFound();
    return labeledReference(message);
  });
}

export const positioned = (message: StoredMessage) => ({
  id: message.id,
  position: message.internalDate,
  message,
});

const sees = (scopes: readonly string[]) =>
  scopes.some((scope) => scope === all || scope === modify || scope === read);

/** The metadata scope allows neither bodies nor searches, which would reveal them. */
export function forbidQuery({ query, scopes }: GmailCall): void {
  if (query.get("q") && !sees(scopes))
    throw gmailError(403, "Metadata scope does not support 'q' parameter", { reason: "forbidden" });
}

export function allowedFormat(
  { query, scopes }: GmailCall,
  formats?: readonly MessageFormat[],
): MessageFormat {
  const format = readFormat(query.get("format"), formats);
  if ((format === "full" || format === "raw") && !sees(scopes))
    throw gmailError(403, `Metadata scope doesn't allow format ${format.toUpperCase()}`, {
      reason: "forbidden",
    });
  return format;
}
