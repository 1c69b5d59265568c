import type {
  HistoryMessage,
  PageEvent,
  PageOutcome,
  PageResponse,
  PageToolDefinition,
  PendingApproval,
} from "@bron/page/wire";
import type { ConversationStore, OpenCalls, StoredConversation } from "./stored-conversation.ts";

/** What the view shows. A new object for each change. */
export interface ConversationState {
  readonly messages: readonly HistoryMessage[];
  /** The answer so far, while it streams. */
  readonly partial: string;
  readonly isLoading: boolean;
  /** What is being done now, in words. */
  readonly activity: string;
  readonly approvals: readonly PendingApproval[];
  readonly error: { readonly code: string; readonly message: string } | undefined;
  readonly outcome: PageOutcome | undefined;
}

/** What is shown of a conversation, and what is stored of it. */
export interface ConversationRecord {
  readonly shown: ConversationState;
  readonly stored: StoredConversation;
  show(change: Partial<ConversationState>): void;
  keep(change: Partial<StoredConversation>): void;
  /** The history, and the message that has no response yet. */
  messages(): readonly HistoryMessage[];
  /** Keeps a response. Returns the calls that it asks for. */
  take(response: PageResponse, declared: readonly PageToolDefinition[]): OpenCalls | undefined;
  onEvent(event: PageEvent): void;
  /** Reads again what is stored. */
  reload(): void;
}

export interface RecordDeps {
  readonly store: ConversationStore;
  lastElement(): number;
  onChange(): void;
  newId(): string;
}

const nothingShown: ConversationState = {
  messages: [],
  partial: "",
  isLoading: false,
  activity: "",
  approvals: [],
  error: undefined,
  outcome: undefined,
};

export function emptyConversation(id: string): StoredConversation {
  return {
    id,
    history: [],
    state: undefined,
    sending: undefined,
    open: undefined,
    lastElement: 0,
    isOpen: false,
    isCompact: false,
    isVisitAllowed: false,
    draft: "",
  };
}

export function createConversationRecord(deps: RecordDeps): ConversationRecord {
  let stored = deps.store.load() ?? emptyConversation(deps.newId());
  let shown: ConversationState = { ...nothingShown, messages: stored.history };
  const show = (change: Partial<ConversationState>) => {
    shown = { ...shown, ...change };
    deps.onChange();
  };
  const keep = (change: Partial<StoredConversation>) => {
    stored = { ...stored, ...change, lastElement: deps.lastElement() };
    deps.store.save(stored);
  };
  return {
    get shown() {
      return shown;
    },
    get stored() {
      return stored;
    },
    show,
    keep,
    messages() {
      const { history, sending: content } = stored;
      if (content === undefined) return history;
      const timestamp = new Date().toISOString();
      return [...history, { id: deps.newId(), role: "user", content, timestamp }];
    },
    take(response, declared) {
      const { history, state } = response;
      const isDone = response.type === "response";
      const open = isDone ? undefined : openCalls(response, declared);
      keep({ history, state, sending: undefined, open });
      show({
        messages: history,
        partial: "",
        approvals: open?.approvals ?? [],
        outcome: isDone ? response.outcome : undefined,
      });
      return open;
    },
    reload() {
      stored = deps.store.load() ?? stored;
      show({ ...nothingShown, messages: stored.history });
    },
    onEvent(event) {
      if (event.type === "TEXT_MESSAGE_START") show({ partial: "" });
      else if (event.type === "TEXT_MESSAGE_CONTENT")
        show({ partial: shown.partial + event.delta, activity: "" });
      else if (event.type === "TOOL_CALL_START") show({ activity: wordsOf(event.toolCallName) });
      else if (event.type === "TOOL_CALL_END") show({ activity: "" });
    },
  };
}

function openCalls(
  { calls, approvals }: Extract<PageResponse, { type: "tool-calls" }>,
  declared: readonly PageToolDefinition[],
): OpenCalls {
  const names = new Set(calls.map(({ name }) => name));
  const tools = declared.filter(({ name }) => names.has(name));
  return { calls, approvals, tools, results: [], running: undefined };
}

/** "action_place_order" becomes "Place order". */
function wordsOf(toolName: string): string {
  const words = toolName
    .replace(/^action_/, "")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[_.-]+/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
