import type { MailContent } from "./mail-content.ts";
import type { MailEntry } from "./entries.ts";

export interface StoredMessage {
  readonly id: string;
  readonly threadId: string;
  readonly labelIds: readonly string[];
  readonly internalDate: number;
  readonly visibleAt: number;
  readonly historyId: number;
  readonly content: MailContent;
}

export interface HistoryChange {
  readonly historyId: number;
  readonly kind: "messageAdded" | "messageDeleted" | "labelAdded" | "labelRemoved";
  readonly message: StoredMessage;
  /** Set for a change of labels. */
  readonly labelIds: readonly string[];
}

/** The mailbox of one account. Only `apply` and `seed` change it. */
export interface Mailbox {
  readonly address: string;
  readonly message: (id: string) => StoredMessage | undefined;
  /** Newest first. */
  readonly messages: () => readonly StoredMessage[];
  /** Oldest first. Empty for an unknown thread. */
  readonly thread: (threadId: string) => readonly StoredMessage[];
  readonly drafts: ReadonlyMap<string, string>;
  readonly historyId: () => number;
  /** Changes before this history id have been dropped. */
  readonly historyFloor: () => number;
  readonly history: readonly HistoryChange[];
  readonly seed: (message: Omit<StoredMessage, "historyId">) => void;
  readonly apply: (entry: MailEntry, content: MailContent | undefined) => void;
}

const firstHistoryId = 1_000;

export function createMailbox(address: string): Mailbox {
  const messages = new Map<string, StoredMessage>();
  const drafts = new Map<string, string>();
  const history: HistoryChange[] = [];
  let historyId = firstHistoryId;
  let historyFloor = firstHistoryId;
  let sorted: StoredMessage[] | undefined;

  const newestFirst = () =>
    (sorted ??= [...messages.values()].sort(
      (a, b) => b.internalDate - a.internalDate || (a.id < b.id ? 1 : -1),
    ));
  const put = (message: StoredMessage) => {
    messages.set(message.id, message);
    sorted = undefined;
  };
  const note = (
    kind: HistoryChange["kind"],
    message: StoredMessage,
    labelIds: readonly string[] = [],
  ) => history.push({ historyId, kind, message, labelIds });

  function apply(entry: MailEntry, content: MailContent | undefined): void {
    historyId += 1;
    if (entry.type === "message") {
      if (!content) return;
      const { id, threadId, labelIds, internalDate, visibleAt } = entry;
      const message = { id, threadId, labelIds, internalDate, visibleAt, historyId, content };
      put(message);
      note("messageAdded", message);
    } else if (entry.type === "labels") changeLabels(entry.id, entry.labelIds);
    else if (entry.type === "removed") {
      const message = messages.get(entry.id);
      if (!message) return;
      messages.delete(entry.id);
      sorted = undefined;
      note("messageDeleted", message);
    } else if (entry.messageId === undefined) drafts.delete(entry.draftId);
    else drafts.set(entry.draftId, entry.messageId);
  }

  function changeLabels(id: string, labelIds: readonly string[]): void {
    const before = messages.get(id);
    if (!before) return;
    const after = { ...before, labelIds, historyId };
    put(after);
    const added = labelIds.filter((label) => !before.labelIds.includes(label));
    const removed = before.labelIds.filter((label) => !labelIds.includes(label));
    if (added.length > 0) note("labelAdded", after, added);
    if (removed.length > 0) note("labelRemoved", after, removed);
  }

  return {
    address,
    message: (id) => messages.get(id),
    messages: newestFirst,
    thread: (threadId) =>
      newestFirst()
        .filter((message) => message.threadId === threadId)
        .reverse(),
    drafts,
    historyId: () => historyId,
    historyFloor: () => historyFloor,
    history,
    seed: (message) => {
      historyId += 1;
      historyFloor = historyId;
      put({ ...message, historyId });
    },
    apply,
  };
}
