import type { BronView, PersonaSource, TrustLevel } from "@bron/protocol";

interface NewBronRow {
  readonly name: string;
  /** Defaults to a color that no other Bron of the owner uses. */
  readonly avatarColor?: string;
  readonly systemPrompt: string;
  readonly personaSource: PersonaSource;
  readonly trustLevel: TrustLevel;
  /** Sorted, without duplicates. The default is null: all tools. */
  readonly tools?: readonly string[] | null;
  /** The default is null: the default model. */
  readonly model?: string | null;
  /** Sorted, without duplicates. The default is null: all accepted skills. */
  readonly skills?: readonly string[] | null;
}

/** Texts must be cleaned by the caller. Omitted fields stay unchanged. */
export interface ChangedBronRow {
  readonly name?: string;
  readonly avatarColor?: string;
  readonly systemPrompt?: string;
  readonly personaSource?: PersonaSource;
  readonly memorySummary?: string;
  readonly memoryOn?: boolean;
  /** Sorted, without duplicates. Null: all tools. */
  readonly tools?: readonly string[] | null;
  /** Null: the default model. */
  readonly model?: string | null;
  /** Sorted, without duplicates. Null: all accepted skills. */
  readonly skills?: readonly string[] | null;
  /** Limits runs that start from now on. Null: no limit of its own. */
  readonly maxCostMicrousd?: number | null;
}

/** The Brons of an owner. Every change is written to the audit log in the same transaction. */
export interface Brons {
  /**
   * Sorted by latest activity, with those that are archived. Creates the default Bron for an owner
   * who has none.
   */
  list(ownerId: string): Promise<BronView[]>;
  get(ownerId: string, bronId: string): Promise<BronView | undefined>;
  /** Returns the new Bron's id. */
  create(ownerId: string, bron: NewBronRow): Promise<string>;
  /** Throws not_found. */
  change(ownerId: string, bronId: string, changes: ChangedBronRow): Promise<void>;
  /**
   * Takes back the last update of the memory summary. Throws not_found, or conflict if there is
   * nothing to undo.
   */
  undoSummary(ownerId: string, bronId: string): Promise<void>;
  /**
   * Archives or restores a Bron. An archived Bron takes no new tasks. Throws not_found, or conflict
   * for the default Bron.
   */
  setArchived(ownerId: string, bronId: string, isArchived: boolean): Promise<void>;
}
