import type { ConversationState } from "./conversation-state.ts";
import { createSealer, type Binding, type SealProblem } from "./seal.ts";

type LoadedState =
  | { readonly ok: true; readonly state: ConversationState }
  | { readonly ok: false; readonly why: SealProblem | "used" };

/** Where the state of a conversation is between two requests: with the page, or with the server. */
export interface StateKeeper {
  /** Reads the state and marks its step as used, where anything is remembered. */
  load(text: string, binding: Binding): Promise<LoadedState>;
  /** The text that the page sends back. */
  save(state: ConversationState, binding: Binding): Promise<string>;
  /** Lets a step be used again, because it came to nothing. */
  release(state: ConversationState): Promise<void>;
}

/** What a handler remembers between requests. A server with several processes shares one. */
export interface PageMemory {
  /** Returns true only for the first use of a key. It may forget the key after `ttlMs`. */
  useOnce(key: string, ttlMs: number): Promise<boolean>;
  release(key: string): Promise<void>;
  put(key: string, value: string, ttlMs: number): Promise<void>;
  get(key: string): Promise<string | undefined>;
  /**
   * Adds to a counter that returns to zero after `windowMs`, and returns the sum. Used for rates and for
   * what a site and a visitor may spend.
   */
  add(counter: string, amount: number, windowMs: number): Promise<number>;
}

interface SealedKeeperOptions {
  readonly secretKey: string;
  readonly memory: PageMemory;
  readonly now: () => number;
  /** How long a page may wait with its next request. */
  readonly ttlMs: number;
}

/** The page keeps the state: sealed, and useless for another site, origin or visitor. */
export async function sealedKeeper({
  secretKey,
  memory,
  now,
  ttlMs,
}: SealedKeeperOptions): Promise<StateKeeper> {
  const sealer = await createSealer(secretKey, "state");
  return {
    async load(text, binding) {
      const opened = await sealer.open(text, binding, now());
      if (!opened.ok) return opened;
      const state = opened.value as ConversationState;
      const isFirst = await memory.useOnce(keyOf(state), ttlMs);
      return isFirst ? { ok: true, state } : { ok: false, why: "used" };
    },
    save: (state, binding) => sealer.seal(state, binding, now() + ttlMs),
    release: (state) => memory.release(keyOf(state)),
  };
}

function keyOf({ id, step }: ConversationState): string {
  return `step ${id} ${step}`;
}
