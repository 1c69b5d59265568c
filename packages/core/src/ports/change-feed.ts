/**
 * A hint that the log of this run ends at `lastSeq` or later. 0 means only that it may have
 * changed.
 */
export interface Change {
  readonly runId: string;
  readonly lastSeq: number;
}

/** Hints between the processes of a store. Hints may get lost. */
export interface ChangeFeed {
  /** Notifies every process on this store, batched, within a few milliseconds. Never throws. */
  changed(change: Change): void;
  /** Notifies every process that the partial text of the run has changed. */
  partialTextChanged(runId: string): void;
  /**
   * Reports changes of other processes, until the returned function is called. `onGap` is called
   * when changes may have been missed.
   */
  subscribe(listener: ChangeListener): () => void;
}

export interface ChangeListener {
  onChange(change: Change): void;
  onPartialText(runId: string): void;
  onGap(): void;
}
