/**
 * Which of the owner's asks the effects of a task have used. A task is a run with its child runs,
 * named by its root. Every call names the owner.
 */
export interface AskUses {
  /** The actions that hold the asks of the task, by `useKey`. */
  list(task: AskTask): Promise<ReadonlyMap<string, string>>;
  /**
   * Uses an ask for an action, and returns whether the action holds it now. At most one action holds
   * an ask at a time, in any process. An action whose effect was not done gives it back.
   */
  use(task: AskTask, use: AskUse): Promise<boolean>;
}

export interface AskUse {
  readonly key: string;
  /** The run of the action: the root or one of its child runs. */
  readonly runId: string;
  readonly actionId: string;
}

export interface AskTask {
  readonly ownerId: string;
  readonly rootRunId: string;
}
