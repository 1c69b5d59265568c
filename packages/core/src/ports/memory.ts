import type { Label, MemoryEntry, MemoryKind, MemorySource, MemoryState } from "@bron/protocol";
import type { MemoryTerm } from "../memory/memory-words.ts";

/** What a Bron notes. Texts must be cleaned by the caller, in the other methods too. */
export interface NotedStatement {
  readonly ownerId: string;
  readonly bronId: string;
  readonly text: string;
  readonly kind: MemoryKind;
  readonly state: Exclude<MemoryState, "forgotten">;
  readonly source: MemorySource;
  /** What a suggestion counts as when it is found. Null for a confirmed entry. */
  readonly label: Label | null;
  /** The text is what the owner typed in this task, so it may bring a forgotten text back. */
  readonly isOwners: boolean;
  /** How many entries one run may make. */
  readonly maxOfRun: number;
}

export type Noted =
  | { readonly entry: MemoryEntry; readonly isNew: boolean }
  /** The owner has forgotten this text, and only the owner brings it back. */
  | "forgotten"
  /** The run has made as many entries as it may. */
  | "limit";

export interface ListMemory {
  readonly state?: MemoryState | undefined;
  /** The entries of this Bron, and those for all. */
  readonly bronId?: string | undefined;
  /** Words as `searchWords` returns them. All must be found; each may be the start of a word. */
  readonly words?: readonly string[] | undefined;
  /** In lower case. */
  readonly idPrefix?: string | undefined;
  readonly limit: number;
  /** The id of the last entry of the previous page. */
  readonly before?: string | undefined;
}

export interface ChangedStatement {
  readonly text?: string | undefined;
  readonly kind?: MemoryKind | undefined;
  readonly bronId?: string | null | undefined;
}

export interface FoundStatement {
  readonly entry: MemoryEntry;
  /** Null for a confirmed entry. */
  readonly label: Label | null;
}

/** What comes to mind before a task: the newest confirmed entries. */
export type ConfirmedStatement = Pick<MemoryEntry, "text" | "kind">;

/**
 * What the Brons of an owner remember. The same text twice, for the same Bron, is one entry. Each
 * change by the owner is written to the audit log in the same transaction, without the text.
 */
export interface Memory {
  /** Notes what a Bron found out. A repeated call with the same text changes nothing. */
  note(statement: NotedStatement): Promise<Noted>;
  /** Confirmed entries first where matches are equally good. Nothing that is forgotten. */
  search(
    ownerId: string,
    query: {
      readonly bronId: string;
      readonly terms: readonly MemoryTerm[];
      readonly limit: number;
    },
  ): Promise<FoundStatement[]>;
  /** The newest confirmed entries that a Bron uses. */
  confirmed(ownerId: string, bronId: string, limit: number): Promise<ConfirmedStatement[]>;
  /** Newest first. Without a state, what is forgotten is left out. */
  list(ownerId: string, options: ListMemory): Promise<MemoryEntry[]>;
  get(ownerId: string, id: string): Promise<MemoryEntry | undefined>;
  /** The owner says it, so it is confirmed. Throws not_found for a Bron of another owner. */
  add(
    ownerId: string,
    statement: Pick<MemoryEntry, "text" | "kind" | "bronId">,
  ): Promise<MemoryEntry>;
  /**
   * Corrects an entry. Its state and its source stay. Throws not_found, invalid_input for a forgotten
   * entry, and conflict if there is another entry with the new text.
   */
  change(ownerId: string, id: string, changes: ChangedStatement): Promise<MemoryEntry>;
  /** Throws not_found, or invalid_input for a forgotten entry. */
  confirm(ownerId: string, id: string): Promise<MemoryEntry>;
  /**
   * Removes the text, what finds it, and its sentences from the summaries of the Bron, or of all
   * Brons. Throws not_found.
   */
  forget(ownerId: string, id: string): Promise<MemoryEntry>;
}

/** Looks for entries by meaning. Without one, search compares words. */
export interface MemoryEmbeddings {
  /** The ids of the entries closest to the question, the closest first. */
  nearest(
    ownerId: string,
    query: { readonly bronId: string; readonly question: string; readonly limit: number },
  ): Promise<readonly string[]>;
}
