import {
  createConversationRecord,
  emptyConversation,
  type ConversationRecord,
  type ConversationState,
  type RecordDeps,
} from "./conversation-record.ts";
import { RequestProblem } from "./read-events.ts";
import { createRounds, resumeCalls, type RoundDeps } from "./rounds.ts";
import type { StoredConversation } from "./stored-conversation.ts";
import type { RequestOptions } from "./transport.ts";

export interface Conversation {
  readonly state: ConversationState;
  readonly stored: StoredConversation;
  send(message: string): Promise<void>;
  /** Repeats what failed. */
  retry(): Promise<void>;
  /** Ends the task. Nothing is clicked after this returns. */
  stop(): void;
  /** Goes on with what a reload interrupted. */
  resume(): Promise<void>;
  reset(): void;
  /** Takes over what another page of this tab has stored since. */
  reload(): void;
  /** Nothing is sent before `claimed` has ended. Returns it. */
  whenReady(claimed: Promise<void>): Promise<void>;
  /** Nothing was stored when it was created. */
  readonly isNew: boolean;
  /** Becomes a conversation of its own that has the words of this one. */
  fork(): void;
  /** Changes what is stored beside the conversation. */
  remember(
    change: Partial<Pick<StoredConversation, "isOpen" | "isCompact" | "isVisitAllowed" | "draft">>,
  ): void;
}

/** The handler does not accept the state any more. Its words are all that can be brought along. */
const lostState = /^(?:invalid_state|expired_state|used_state|unknown_call)$/;
const idle = { isLoading: false, activity: "", partial: "", approvals: [] } as const;

export function createConversation(deps: RecordDeps & RoundDeps): Conversation {
  const isNew = deps.store.load() === undefined;
  const record = createConversationRecord(deps);
  const rounds = createRounds(record, deps);
  const tasks = createTasks(record);
  let ready: Promise<void> = Promise.resolve();

  const request = (message: string) =>
    tasks.start(async (options) => {
      await ready;
      record.keep({ sending: message, open: undefined });
      record.show({ messages: record.messages(), approvals: [] });
      const first = await rounds.send(message, options).catch(async (error: unknown) => {
        if (!isLostState(error) || record.stored.state === undefined) throw error;
        record.keep({ state: undefined });
        return await rounds.send(message, options);
      });
      await rounds.advance(first, options);
    });

  return {
    get state() {
      return record.shown;
    },
    get stored() {
      return record.stored;
    },
    async send(message) {
      if (message.trim() !== "") await request(message.trim());
    },
    async retry() {
      const { sending, open, history } = record.stored;
      const isLost = lostState.test(record.shown.error?.code ?? "");
      if (sending !== undefined) return await request(sending);
      if (open && !isLost) return await tasks.start((options) => rounds.advance(open, options));
      const at = history.findLastIndex(({ role }) => role === "user");
      const words = history[at]?.content;
      if (words === undefined) return record.show({ error: undefined });
      if (isLost) record.keep({ state: undefined });
      record.keep({ history: history.slice(0, at), open: undefined });
      await request(words);
    },
    stop() {
      tasks.abort();
      // A message that nothing responded to stays in sight.
      record.keep({ history: record.messages(), sending: undefined, open: undefined });
      record.show({ ...idle, messages: record.stored.history, error: undefined });
    },
    async resume() {
      const { open, sending } = record.stored;
      if (sending !== undefined)
        record.show({ messages: record.messages(), error: { code: "interrupted", message: "" } });
      else if (open) await tasks.start((options) => rounds.advance(resumeCalls(open), options));
    },
    reset() {
      tasks.abort();
      const { isOpen, isCompact } = record.stored;
      record.keep({ ...emptyConversation(deps.newId()), isOpen, isCompact });
      record.show({ ...idle, messages: [], error: undefined, outcome: undefined });
    },
    reload() {
      tasks.abort();
      record.reload();
    },
    isNew,
    async whenReady(claimed) {
      ready = claimed;
      await claimed;
    },
    fork() {
      record.keep({ id: deps.newId(), state: undefined, sending: undefined, open: undefined });
      record.show({ messages: record.stored.history });
    },
    remember: record.keep,
  };
}

/** One task at a time. A new one ends the one before. */
function createTasks(record: ConversationRecord) {
  let controller: AbortController | undefined;
  return {
    abort() {
      controller?.abort();
      controller = undefined;
    },
    async start(work: (options: RequestOptions) => Promise<void>): Promise<void> {
      controller?.abort();
      const own = new AbortController();
      const { signal } = own;
      controller = own;
      record.show({ ...idle, isLoading: true, error: undefined, outcome: undefined });
      try {
        await work({ signal, onEvent: (event) => signal.aborted || record.onEvent(event) });
      } catch (error) {
        if (signal.aborted) return;
        const { code, message } = toProblem(error);
        record.show({ error: { code, message } });
      } finally {
        if (controller === own) record.show({ isLoading: false, activity: "", partial: "" });
      }
    },
  };
}

function isLostState(error: unknown): boolean {
  return error instanceof RequestProblem && lostState.test(error.code);
}

function toProblem(error: unknown): RequestProblem {
  if (error instanceof RequestProblem) return error;
  return new RequestProblem("page_failed", error instanceof Error ? error.message : "");
}
