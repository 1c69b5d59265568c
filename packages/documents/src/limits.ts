const MB = 1024 * 1024;

export interface ParseLimits {
  readonly maxBytes: number;
  /** Resident memory of the parser's process. */
  readonly maxMemoryBytes: number;
  /** Longest time until the first progress, or `stallMs` if that is longer: the parser's own start counts, and takes long on a busy machine. */
  readonly startMs: number;
  /** Longest time without progress after that. */
  readonly stallMs: number;
  readonly hardMs: number;
  /** Of text; each cell and each row counts for one more. What goes beyond is cut, and said. */
  readonly maxCharacters: number;
  readonly maxPages: number;
  /** What an archive may declare as its unpacked size. */
  readonly maxUnpackedBytes: number;
}

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
