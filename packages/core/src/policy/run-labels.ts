import { omitUndefined, type JsonValue, type Label, type Origin } from "@bron/protocol";
import { readOwnerWords } from "./named-by-owner.ts";
import { contentValues } from "./content-values.ts";
import { normalizeUrl, siteOf, urlsIn } from "./normalize-url.ts";
import { typedWords } from "./typed-words.ts";
import { addressesIn, textsIn, withoutUnseen } from "./names.ts";

/** A result that the model has seen. */
export interface Source extends Label {
  readonly tool: string;
  readonly actionId: string;
  /** The site of a web page. See `siteOf`. */
  readonly site?: string;
}

/** What a run has read so far, with regard to trust. Folded from the log. Immutable. */
export interface RunLabels {
  /** Untrusted sources, in order of arrival. */
  readonly untrusted: readonly Source[];
  /** The sources in which each address, host or digest was seen. `keyOf` makes the keys. */
  readonly seen: ReadonlyMap<string, readonly Source[]>;
  /** Original names of files, by digest. */
  readonly files: ReadonlyMap<string, string>;
  /** Everything that the owner typed. */
  readonly words: string;
  /** The same texts, each as it was typed. */
  readonly typed: readonly string[];
}

export const noLabels: RunLabels = {
  untrusted: [],
  seen: new Map(),
  files: new Map(),
  words: "",
  typed: [],
};

export type SeenKind = "address" | "host" | "digest" | "url" | "value";

export function keyOf(kind: SeenKind, value: string): string {
  return `${kind} ${value}`;
}

/** Adds a text of the owner. What they pasted into it is not theirs. */
export function withOwnerWords(labels: RunLabels, text: string): RunLabels {
  const { words, pasted } = typedWords(text);
  const read = pasted.length === 0 ? labels : withContext(labels, "pasted", [...pasted]);
  return {
    ...read,
    words: read.words === "" ? words : `${read.words}\n${words}`,
    typed: [...read.typed, text],
  };
}

export interface NewResult {
  readonly tool: string;
  readonly actionId: string;
  readonly label: Label;
  /** Everything that the model gets to see. */
  readonly value: JsonValue;
}

const maxCharacters = 2_000_000;

export function withResult(
  labels: RunLabels,
  { tool, actionId, label, value }: NewResult,
): RunLabels {
  if (label.trusted) return labels;
  const source: Source = {
    ...label,
    tool,
    actionId,
    ...omitUndefined({ site: siteOfPage(label, value) }),
  };
  return {
    ...labels,
    untrusted: [...labels.untrusted, source],
    seen: addSeen(labels.seen, source, value),
    files: addFile(labels.files, value),
  };
}

function siteOfPage({ origin }: Label, value: JsonValue): string | undefined {
  if (origin !== "web" || typeof value !== "object" || value === null || Array.isArray(value))
    return undefined;
  const url = typeof value["url"] === "string" ? normalizeUrl(value["url"]) : undefined;
  return url === undefined ? undefined : siteOf(url);
}

/** Adds context from before the run: attached context and model messages of earlier runs. */
export function withContext(labels: RunLabels, origin: Origin, value: JsonValue): RunLabels {
  return withResult(labels, {
    tool: "",
    actionId: "",
    label: { origin, trusted: false, private: true, readers: [] },
    value,
  });
}

/**
 * Adds a file that the owner attached. Its name is trusted if the owner typed it. Otherwise someone
 * else may have chosen it, and the model reads it too.
 */
export function withAttached(
  labels: RunLabels,
  file: { readonly filename: string; readonly digest: string },
): RunLabels {
  if (!readOwnerWords(labels.words).hasFile(file.filename))
    return withContext(labels, "attached", { ...file });
  return { ...labels, files: addFile(labels.files, { ...file }) };
}

/**
 * Tools that return a file report its name beside its digest. The first name counts, because a later
 * result may claim any name for a file.
 */
function addFile(files: RunLabels["files"], value: JsonValue): RunLabels["files"] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return files;
  const { digest, filename } = value;
  return typeof digest === "string" && typeof filename === "string" && !files.has(digest)
    ? new Map([...files, [digest, filename]])
    : files;
}

function addSeen(seen: RunLabels["seen"], source: Source, value: JsonValue): RunLabels["seen"] {
  const text = withoutUnseen(textsIn(value).join("\n").slice(0, maxCharacters));
  const { hosts, values } = contentValues(text);
  const keys = [
    ...addressesIn(text).map((address) => keyOf("address", address)),
    ...hosts.map((host) => keyOf("host", host)),
    ...values.map((value) => keyOf("value", value)),
    ...(source.origin === "web" ? urlsIn(text).map((url) => keyOf("url", url)) : []),
    ...[...text.matchAll(/\bsha256:[0-9a-f]{64}\b/g)].map(([digest]) => keyOf("digest", digest)),
  ];
  if (keys.length === 0) return seen;
  const next = new Map(seen);
  for (const key of new Set(keys)) next.set(key, [...(next.get(key) ?? []), source]);
  return next;
}

/**
 * Merges the labels of the context with those of the run. For a child run, the context includes the
 * labels of its parent, with the owner's words.
 */
export function mergeLabels(before: RunLabels, run: RunLabels): RunLabels {
  if (before === noLabels) return run;
  const seen = new Map(before.seen);
  for (const [key, sources] of run.seen) seen.set(key, [...(seen.get(key) ?? []), ...sources]);
  return {
    untrusted: [...before.untrusted, ...run.untrusted],
    seen,
    files: new Map([...run.files, ...before.files]),
    words: [before.words, run.words].filter((words) => words !== "").join("\n"),
    typed: [...before.typed, ...run.typed],
  };
}
