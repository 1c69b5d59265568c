export interface ThreadMessage {
  readonly role: "user" | "assistant";
  readonly content: string;
  /**
   * True for the owner's own messages, and for model messages written with nothing untrusted in
   * context.
   */
  readonly trusted: boolean;
}

export interface Profile {
  readonly persona: string;
  readonly aboutUser: string;
}

export interface Threads {
  /** The newest messages of the thread before this run, oldest first. */
  tail(
    ownerId: string,
    threadId: string,
    beforeRunId: string,
    limit: number,
  ): Promise<ThreadMessage[]>;
  profile(ownerId: string, bronId: string): Promise<Profile | undefined>;
}
