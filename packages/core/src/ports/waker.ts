export interface Wake {
  readonly runId: string;
  readonly ownerId: string;
  /** Number of this wake for the run. It is part of the segment's name. */
  readonly wake: number;
  readonly delayMs: number;
  /** True if a live worker holds the run. That worker only needs a notification. */
  readonly held: boolean;
}

/** The store calls this for every run that became runnable. */
export interface Waker {
  /** Whether this process would start a run that is woken now. If so, nothing is enlisted. */
  takesHere(): boolean;
  /**
   * Queues the wake for other processes inside the writer's transaction, so it rolls back with it.
   * `transaction` is the store's own client.
   */
  enlist(wake: Wake, transaction: unknown): Promise<void>;
  /** Called after the commit. `here` is what `takesHere` returned before it. Must not throw. */
  committed(wake: Wake, here: boolean): void;
}
