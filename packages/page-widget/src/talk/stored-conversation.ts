import type {
  HistoryMessage,
  PageToolDefinition,
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
  /** The tools of the calls, as the page declared them. */
  readonly tools: readonly PageToolDefinition[];
  readonly results: readonly ToolCallResult[];
  /** The call that has started, and the address where it did. */
  readonly running: { readonly callId: string; readonly url: string } | undefined;
}

export interface ConversationStore {
  load(): StoredConversation | undefined;
  save(conversation: StoredConversation): void;
  clear(): void;
}

function attempt<T>(action: () => T, otherwise: T): T {
  try {
    return action();
  } catch {
    return otherwise;
  }
}

/** Keeps a text in the tab. Without storage, it lasts as long as the page. */
export function tabText(key: string) {
  let kept: string | undefined;
  return {
    load: () => attempt(() => sessionStorage.getItem(key) ?? undefined, kept),
    save(text: string) {
      kept = text;
      attempt(() => sessionStorage.setItem(key, text), undefined);
    },
    clear() {
      kept = undefined;
      attempt(() => sessionStorage.removeItem(key), undefined);
    },
  };
}

/** Keeps the conversation of one tab. */
export function sessionStore(key: string): ConversationStore {
  const storage = tabText(key);
  return {
    load() {
      const text = storage.load();
      if (text === undefined) return undefined;
      const stored = attempt(() => JSON.parse(text) as StoredConversation, undefined);
      return Array.isArray(stored?.history) ? stored : undefined;
    },
    save: (conversation) => storage.save(JSON.stringify(conversation)),
    clear: storage.clear,
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
