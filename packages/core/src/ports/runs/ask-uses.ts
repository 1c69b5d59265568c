import type { JsonValue } from "@bron/protocol";

/**
 * What the owner's words ask for in a task, and which effects have used it. A task is a run with its
 * child runs, named by its root. Every call names the owner.
 */
export interface AskUses {
  /**
   * Keeps the readings that the task does not have yet, and returns all of its readings. The first
   * reading of a set of words counts in the whole task, so that no run takes one request for two.
   */
  open(task: AskTask, readings: Readings): Promise<OpenAsks>;
  /**
   * Uses asks for an action, all or none, and returns whether the action holds them now. At most one
   * action holds an ask at a time, in any process. An action whose effect was not done gives it back.
   */
  use(task: AskTask, use: AskUse): Promise<boolean>;
}

/** What a model returned for the owner's words, by the number of texts that it read. */
export type Readings = ReadonlyMap<number, JsonValue>;

export interface OpenAsks {
  readonly readings: Readings;
  /** The actions that hold asks, by `useKeys`. */
  readonly held: ReadonlyMap<string, string>;
  /** The keys of asks that the owner crossed out. */
  readonly crossedOut: ReadonlySet<string>;
}

interface AskUse {
  /** Not empty. */
  readonly keys: readonly string[];
  /** The run of the action: the root or one of its child runs. */
  readonly runId: string;
  readonly actionId: string;
}

export interface AskTask {
  readonly ownerId: string;
  readonly rootRunId: string;
}
