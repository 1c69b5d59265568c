import { badRequest } from "../api-error.ts";
import { compileQuery } from "../search/match-query.ts";
import { parseQuery } from "../search/parse-query.ts";
import type { Mailbox, StoredMessage } from "../state/mailbox.ts";
import { findLabelId, labels } from "./labels.ts";

/**
 * Messages that match `q`, `labelIds` and `includeSpamTrash`, newest first. Leaves out messages
 * that Google would not list yet.
 */
export function findMessages(mailbox: Mailbox, query: URLSearchParams, now: Date): StoredMessage[] {
  const labelIds = query.getAll("labelIds");
  const unknown = labelIds.find((id) => !labels.some((label) => label.id === id));
  if (unknown !== undefined) throw badRequest(`Invalid label: ${unknown}`);
  const asksForHidden = labelIds.includes("SPAM") || labelIds.includes("TRASH");
  const matches = compileQuery(parseQuery(query.get("q") ?? ""), {
    now,
    ownAddress: mailbox.address,
    findLabelId,
    includeSpamTrash: query.get("includeSpamTrash") === "true" || asksForHidden,
  });
  return mailbox.messages().filter((message) => {
    if (message.visibleAt > now.getTime() || !labelIds.every((id) => message.labelIds.includes(id)))
      return false;
    return matches({
      document: message.content.document(),
      labelIds: message.labelIds,
      internalDate: message.internalDate,
      sizeBytes: message.content.sizeBytes,
    });
  });
}
