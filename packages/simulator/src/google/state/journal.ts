import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Entry } from "./entries.ts";
import type { RecordedCall } from "./record.ts";

/** One line of the journal, which is applied completely or not at all. */
export type JournalLine =
  | { readonly begun: SeedRecord }
  | { readonly entries: readonly Entry[]; readonly call?: number }
  | { readonly called: RecordedCall };

export interface SeedRecord {
  readonly seed: number;
  /** The current time when the data was seeded, in milliseconds since 1970. */
  readonly anchor: number;
  readonly clientSecret: string;
}

/** Survives a crash of the process but not of the machine, because nothing is synced. */
export interface Journal {
  readonly read: () => JournalLine[];
  readonly append: (line: JournalLine) => void;
  /** Returns the digest for reading it. */
  readonly keepRaw: (raw: Buffer) => string;
  readonly readRaw: (digest: string) => Buffer;
  readonly clear: () => void;
}

const digestOf = (raw: Buffer) => createHash("sha256").update(raw).digest("hex");

export function memoryJournal(): Journal {
  const messages = new Map<string, Buffer>();
  return {
    read: () => [],
    append: () => undefined,
    keepRaw: (raw) => {
      messages.set(digestOf(raw), raw);
      return digestOf(raw);
    },
    readRaw: (digest) => messages.get(digest) ?? Buffer.alloc(0),
    clear: () => messages.clear(),
  };
}

export function fileJournal(folder: string): Journal {
  const file = join(folder, "journal.jsonl");
  const messages = join(folder, "messages");
  makePrivate(folder, messages);
  return {
    read: () => readLines(file),
    append: (line) => appendLine(file, JSON.stringify(line)),
    keepRaw: (raw) => {
      const digest = digestOf(raw);
      const path = join(messages, `${digest}.eml`);
      if (existsSync(path)) return digest;
      writeFileSync(`${path}.part`, raw, { mode: 0o600 });
      renameSync(`${path}.part`, path);
      return digest;
    },
    readRaw: (digest) => readFileSync(join(messages, `${digest}.eml`)),
    clear: () => {
      // The journal is removed first, because nothing refers to the messages without it.
      rmSync(file, { force: true });
      rmSync(messages, { recursive: true, force: true });
      makePrivate(folder, messages);
    },
  };
}

/** Also restricts folders that an older version created with wider permissions. */
function makePrivate(...folders: readonly string[]): void {
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
  }
}

/** A full disk may write half a line. The next line must not be appended to it. */
function appendLine(file: string, line: string): void {
  const size = existsSync(file) ? statSync(file).size : 0;
  try {
    appendFileSync(file, `${line}\n`, { mode: 0o600 });
  } catch (error) {
    if (existsSync(file)) truncateSync(file, size);
    throw error;
  }
}

/** Removes an incomplete last line, which was being written when the process died. */
function readLines(file: string): JournalLine[] {
  if (!existsSync(file)) return [];
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf(10) + 1;
  if (end < bytes.length) truncateSync(file, end);
  const lines = bytes.subarray(0, end).toString("utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as JournalLine);
}
