import type { PersonaSource, ThreadState, ThreadView } from "@bron/protocol";

export interface ThreadMessage {
  /** Increases within a thread. */
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly content: string;
  /**
   * True for the owner's own messages, and for model messages written with nothing untrusted in
   * context.
   */
  readonly trusted: boolean;
  /** See `UserMessage`. */
  readonly asTyped?: true;
}

/** The messages of a thread that its tail no longer has, in fewer words. */
export interface OlderSummary {
  readonly text: string;
  /** The id of the newest message that it covers. */
  readonly upTo: string;
  /** False if a message that it covers, or an earlier summary, was not trusted. */
  readonly trusted: boolean;
}

export interface ThreadTail {
  /** The newest messages, oldest first. The summary may cover some of them. */
  readonly messages: readonly ThreadMessage[];
  /** Absent if no message was summarized. */
  readonly older?: OlderSummary;
}

export type TypedBefore = Pick<ThreadMessage, "content" | "asTyped">;

export interface Profile {
  readonly persona: string;
  readonly personaSource: PersonaSource;
  readonly aboutUser: string;
}

export interface ListThreads {
  /** In lower case. */
  readonly idPrefix?: string | undefined;
  readonly limit: number;
  /** Words as `searchWords` returns them. All must be found; the last may be the start of a word. */
  readonly words?: readonly string[] | undefined;
  readonly state?: ThreadState | undefined;
  readonly bronId?: string | undefined;
  /** The default has both. */
  readonly archived?: boolean | undefined;
  /** Only threads after this place in the list. */
  readonly before?: ThreadPlace | undefined;
}

export type ThreadPlace = Readonly<Pick<ThreadView, "pinnedAt" | "updatedAt" | "id">>;

export interface ThreadChanges {
  readonly title?: string | undefined;
  readonly archived?: boolean | undefined;
  readonly pinned?: boolean | undefined;
}

/**
 * Conversations. Each child run has a thread of its own, which is not a conversation: it is not found
 * here and is deleted with the thread of its parent run.
 */
export interface Threads {
  /** Pinned threads first, then by the time of the owner's last message, newest first. */
  list(ownerId: string, options: ListThreads): Promise<ThreadView[]>;
  get(ownerId: string, threadId: string): Promise<ThreadView | undefined>;
  /** Throws not_found. An archived thread keeps its first `archivedAt`, a pinned one its `pinnedAt`. */
  update(ownerId: string, threadId: string, changes: ThreadChanges): Promise<void>;
  /**
   * Deletes the thread with its runs, their child runs, logs and messages, and writes an audit
   * entry. Files that nothing else uses are removed now, or by `Uploads.removeUnattached` an hour
   * after they were stored. Throws not_found, or conflict while one of the runs is under way. A run
   * that is created at the same time either prevents the deletion or does not find the thread.
   */
  delete(ownerId: string, threadId: string): Promise<void>;
  /**
   * The newest messages of the thread before this run, and the summary of older ones, unless it
   * covers this run's own messages.
   */
  tail(ownerId: string, threadId: string, beforeRunId: string, limit: number): Promise<ThreadTail>;
  /** The newest texts of the thread that the owner typed before this run, oldest first. */
  typedBefore(
    ownerId: string,
    threadId: string,
    beforeRunId: string,
    limit: number,
  ): Promise<TypedBefore[]>;
  profile(ownerId: string, bronId: string): Promise<Profile | undefined>;
}
