import { badRequest, notFound } from "../api-error.ts";
import { gmailScopes } from "../oauth/scopes.ts";
import type { HistoryChange } from "../state/mailbox.ts";
import type { GmailCall, GmailMethod } from "./gmail-method.ts";
import { labels } from "./labels.ts";
import { labeledReference, messageReference } from "./message-resource.ts";

const { all, modify, readonly: read, metadata, compose, labels: labelsScope } = gmailScopes;

export const accountMethods: readonly GmailMethod[] = [
  {
    name: "gmail.users.getProfile",
    verb: "GET",
    path: "/profile",
    scopes: [all, modify, read, metadata, compose],
    serve: ({ mailbox }) => ({
      emailAddress: mailbox.address,
      messagesTotal: mailbox.messages().length,
      threadsTotal: new Set(mailbox.messages().map(({ threadId }) => threadId)).size,
      historyId: String(mailbox.historyId()),
    }),
  },
  {
    name: "gmail.users.labels.list",
    verb: "GET",
    path: "/labels",
    scopes: [all, modify, read, metadata, labelsScope],
    serve: () => ({ labels }),
  },
  {
    name: "gmail.users.labels.get",
    verb: "GET",
    path: "/labels/{id}",
    scopes: [all, modify, read, metadata, labelsScope],
    serve: ({ mailbox, params }) => {
      const label = labels.find(({ id }) => id === params.id);
      if (!label) throw notFound();
      const inside = mailbox.messages().filter(({ labelIds }) => labelIds.includes(label.id));
      const unread = inside.filter(({ labelIds }) => labelIds.includes("UNREAD"));
      const threads = (messages: typeof inside) =>
        new Set(messages.map(({ threadId }) => threadId)).size;
      return {
        ...label,
        messagesTotal: inside.length,
        messagesUnread: unread.length,
        threadsTotal: threads(inside),
        threadsUnread: threads(unread),
      };
    },
  },
  {
    name: "gmail.users.history.list",
    verb: "GET",
    path: "/history",
    scopes: [all, modify, read, metadata],
    query: ["startHistoryId", "labelId", "historyTypes", "maxResults", "pageToken"],
    serve: listHistory,
  },
];

function listHistory({ mailbox, query, now }: GmailCall): unknown {
  const start = query.get("startHistoryId") ?? "";
  if (!/^\d{1,15}$/.test(start)) throw badRequest("Missing or invalid startHistoryId");
  if (Number(start) < mailbox.historyFloor()) throw notFound();
  const [types, labelId] = [query.getAll("historyTypes"), query.get("labelId")];
  const after = Math.max(Number(start), Number(query.get("pageToken") ?? 0) || 0);
  const changes = mailbox.history.filter(
    ({ historyId, kind, message, labelIds }) =>
      historyId > after &&
      message.visibleAt <= now.getTime() &&
      (types.length === 0 || types.includes(kind)) &&
      (labelId === null || message.labelIds.includes(labelId) || labelIds.includes(labelId)),
  );
  const ids = [...new Set(changes.map(({ historyId }) => historyId))];
  const page = ids.slice(0, Math.min(Number(query.get("maxResults") ?? 100) || 100, 500));
  const history = page.map((id) =>
    historyResource(changes.filter(({ historyId }) => historyId === id)),
  );
  return {
    ...(history.length === 0 ? {} : { history }),
    ...(page.length < ids.length ? { nextPageToken: String(page.at(-1)) } : {}),
    historyId: String(mailbox.historyId()),
  };
}

const fields = {
  messageAdded: "messagesAdded",
  messageDeleted: "messagesDeleted",
  labelAdded: "labelsAdded",
  labelRemoved: "labelsRemoved",
} as const;

function historyResource(changes: readonly HistoryChange[]): unknown {
  const [first] = changes;
  const details = changes.map(
    ({ kind, message, labelIds }) =>
      [
        fields[kind],
        [
          {
            message: labeledReference(message),
            ...(kind.startsWith("label") ? { labelIds } : {}),
          },
        ],
      ] as const,
  );
  return {
    id: String(first?.historyId),
    messages: first ? [messageReference(first.message)] : [],
    ...Object.fromEntries(details),
  };
}
