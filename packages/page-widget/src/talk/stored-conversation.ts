import type {
  HistoryMessage,
  PendingApproval,
  PendingToolCall,
  ToolCallResult,
} from "@bron/page/wire";

/** What a reload, or the next page of the site, needs to go on. */
export interface StoredConversation {
  readonly id: string;
  readonly history: readonly HistoryMessage[];
  /** From the handler. Undefined before its first response. */
  readonly state: string | undefined;
  /** A message that has no response yet. */
  readonly sending: string | undefined;
  /** The calls of the last response, while they run. */
  readonly open: OpenCalls | undefined;
  readonly lastElement: number;
  readonly isOpen: boolean;
  readonly isCompact: boolean;
  readonly isVisitAllowed: boolean;
  readonly draft: string;
}

export interface OpenCalls {
  readonly calls: readonly PendingToolCall[];
  readonly approvals: readonly PendingApproval[];
  readonly results: readonly ToolCallResult[];
  /** The call that has started, and the address where it did. */
  readonly running: { readonly callId: string; readonly url: string } | undefined;
}

export interface ConversationStore {
  load(): StoredConversation | undefined;
  save(conversation: StoredConversation): void;
  clear(): void;
}

/** Keeps the conversation of one tab. Without storage, it lasts as long as the page. */
export function sessionStore(key: string): ConversationStore {
  let kept: string | null = null;
  const attempt = <T>(action: () => T, otherwise: T): T => {
    try {
      return action();
    } catch {
      return otherwise;
    }
  };
  return {
    load() {
      const text = attempt(() => sessionStorage.getItem(key), kept);
      if (text === null) return undefined;
      const stored = attempt(() => JSON.parse(text) as StoredConversation, undefined);
      return Array.isArray(stored?.history) ? stored : undefined;
    },
    save(conversation) {
      kept = JSON.stringify(conversation);
      const text = kept;
      attempt(() => sessionStorage.setItem(key, text), undefined);
    },
    clear() {
      kept = null;
      attempt(() => sessionStorage.removeItem(key), undefined);
    },
  };
}

/**
 * Whether this tab may go on with the conversation. A duplicated tab has a copy of it, and a state
 * can be used once. Without locks, there is no telling.
 */
export async function claimConversation(id: string): Promise<boolean> {
  const { locks } = navigator;
  if (!locks) return true;
  // A reload asks before the old page has let go.
  for (let attempt = 0; attempt < 5; attempt++) {
    if (await takeLock(locks, `bron-chat:${id}`)) return true;
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  return false;
}

function takeLock(locks: LockManager, name: string): Promise<boolean> {
  return new Promise((resolve) => {
    locks
      .request(name, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        // A page that holds a lock is not kept by the browser for going back.
        return lock === null
          ? undefined
          : new Promise<void>((release) =>
              addEventListener("pagehide", () => release(), { once: true }),
            );
      })
      .catch(() => resolve(true));
  });
}
