import type { JsonValue } from "@bron/protocol";
import type { AskTask } from "./ask-uses.ts";

/** An effect that the owner did not approve. */
export interface Denial {
  readonly tool: string;
  /** What the owner saw, as data. */
  readonly prepared: JsonValue;
  readonly cause: "denied" | "replied" | "undone";
  /** The owner's reply, or the reason for the denial. May be empty. */
  readonly words: string;
  /** Epoch milliseconds by the clock of the store. */
  readonly decidedAt: number;
}

/** What the owner did not approve in a task. Every call names the owner. */
export interface Denials {
  /** Lists the denied effects of the task, its child runs and the tasks that it retries. */
  list(task: AskTask): Promise<readonly Denial[]>;
}
