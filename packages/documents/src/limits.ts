const MB = 1024 * 1024;

export interface ParseLimits {
  readonly maxBytes: number;
  /** Resident memory of the parser process. */
  readonly maxMemoryBytes: number;
  /**
   * Longest time until the first progress. `stallMs` applies if it is longer. The start of the
   * parser counts too, which takes long on a busy machine.
   */
  readonly startMs: number;
  /** Longest time without progress after that. */
  readonly stallMs: number;
  readonly hardMs: number;
  /**
   * Limit for text. Each cell and each row counts as one more. Text beyond it is cut off with a
   * warning.
   */
  readonly maxCharacters: number;
  readonly maxPages: number;
  /** Largest unpacked size that an archive may declare. */
  readonly maxUnpackedBytes: number;
}

/** For a preview, which is shown while a person waits. */
export const previewLimits: Partial<ParseLimits> = {
  hardMs: 20_000,
  maxCharacters: 60_000,
  maxPages: 3,
};

export const maxTextsPerPage = 2_000;

export const defaultLimits: ParseLimits = {
  maxBytes: 20 * MB,
  maxMemoryBytes: 512 * MB,
  startMs: 10_000,
  stallMs: 10_000,
  hardMs: 120_000,
  maxCharacters: 2_000_000,
  maxPages: 2_000,
  maxUnpackedBytes: 256 * MB,
};
