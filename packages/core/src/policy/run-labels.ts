import {
  omitUndefined,
  type JsonValue,
  type Label,
  type LabelPart,
  type Origin,
  type SourceItem,
  type UserMessage,
} from "@bron/protocol";
import { readOwnerWords } from "./owner-words/named-by-owner.ts";
import { contentValues } from "./text/content-values.ts";
import { normalizeUrl, siteOf, urlsIn } from "./text/normalize-url.ts";
import { typedWords } from "./owner-words/typed-words.ts";
import { addressesIn, textsIn, withoutUnseen } from "./text/names.ts";

/** A result that the model has seen, or a part of one. */
export interface Source extends Omit<Label, "parts"> {
  readonly tool: string;
  readonly actionId: string;
  /** Set if another run read it. */
  readonly runId?: string;
  readonly item?: SourceItem;
  /** The site of a web page. See `siteOf`. */
  readonly site?: string;
}

/** The name that a file came with, and who sent it. */
interface FileOrigin {
  readonly filename: string;
  readonly author?: string;
  /** The owner uploaded it. */
  readonly isUpload?: true;
}

type TypedText = Pick<UserMessage, "content" | "asTyped">;

/** What a run has read so far, with regard to trust. Folded from the log. Immutable. */
export interface RunLabels {
  /** Untrusted sources, in order of arrival. */
  readonly untrusted: readonly Source[];
  /** The sources in which each address, host or digest was seen. `keyOf` makes the keys. */
  readonly seen: ReadonlyMap<string, readonly Source[]>;
  /** Where files came from, by digest. */
  readonly files: ReadonlyMap<string, FileOrigin>;
  /** Everything that the owner typed. */
  readonly words: string;
  /** The same texts, each as it was typed. */
  readonly typed: readonly TypedText[];
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

/** Adds a text of the owner. What they pasted into it is not theirs, unless they said so. */
export function withOwnerWords(
  labels: RunLabels,
  content: string,
  { asTyped }: Pick<UserMessage, "asTyped"> = {},
): RunLabels {
  const { words, pasted } = asTyped ? { words: content, pasted: [] } : typedWords(content);
  const read = pasted.length === 0 ? labels : withContext(labels, "pasted", [...pasted]);
  return {
    ...read,
    words: read.words === "" ? words : `${read.words}\n${words}`,
    typed: [...read.typed, { content, ...omitUndefined({ asTyped }) }],
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
  const { parts = [], ...shared } = label;
  const files = addFiles(labels.files, value, parts);
  const whole: Source = {
    ...shared,
    tool,
    actionId,
    ...omitUndefined({ site: siteOfPage(label, value) }),
  };
  const sources = parts.map((part) => ({
    source: { ...whole, item: itemOf(part, files) },
    value: valueAt(value, part.path),
  }));
  // A preview has no structure, so each part may be where its values came from.
  const isComplete = sources.every((part) => part.value !== undefined);
  const rest = parts.length === 0 ? value : isComplete ? withoutParts(value, parts) : undefined;
  const seen = sources.reduce(
    (before, part) => addSeen(before, part.source, part.value ?? value),
    rest === undefined ? labels.seen : addSeen(labels.seen, whole, rest),
  );
  const added = sources.length === 0 ? [whole] : sources.map(({ source }) => source);
  return { ...labels, untrusted: [...labels.untrusted, ...added], seen, files };
}

/** Files are described by the name and author that they first came with. */
function itemOf({ item, digest }: LabelPart, files: RunLabels["files"]): SourceItem {
  const file = digest === undefined ? undefined : files.get(digest);
  if (!file) return item;
  const { author = item.author } = file;
  return { ...item, title: file.filename, ...omitUndefined({ author }) };
}

function valueAt(value: JsonValue, path: LabelPart["path"]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((at, key) => {
    if (typeof at !== "object" || at === null) return undefined;
    if (Array.isArray(at)) return typeof key === "number" ? at[key] : undefined;
    return Object.hasOwn(at, key) ? at[key] : undefined;
  }, value);
}

/** The value with null in place of its parts. Undefined if a part is all of it. */
function withoutParts(value: JsonValue, parts: readonly LabelPart[]): JsonValue | undefined {
  const paths = parts.map(({ path }) => path);
  if (paths.some((path) => path.length === 0)) return undefined;
  const copy = structuredClone(value);
  for (const path of paths) {
    const parent = valueAt(copy, path.slice(0, -1));
    const key = path.at(-1);
    if (typeof parent === "object" && parent !== null && key !== undefined)
      Object.assign(parent, { [key]: null });
  }
  return copy;
}

function siteOfPage({ origin }: Label, value: JsonValue): string | undefined {
  if (origin !== "web" || typeof value !== "object" || value === null || Array.isArray(value))
    return undefined;
  const url = typeof value["url"] === "string" ? normalizeUrl(value["url"]) : undefined;
  return url === undefined ? undefined : siteOf(url);
}

/** Adds context from before the run: attached context and model messages of earlier runs. */
export function withContext(
  labels: RunLabels,
  origin: Origin,
  value: JsonValue,
  parts: readonly LabelPart[] = [],
): RunLabels {
  return withResult(labels, {
    tool: "",
    actionId: "",
    label: { origin, trusted: false, private: true, readers: [], parts },
    value,
  });
}

/** The part that a file of the owner is. */
export function filePart({
  filename,
  digest,
}: {
  readonly filename: string;
  readonly digest: string;
}): LabelPart {
  return { path: [], item: { kind: "file", title: filename }, digest };
}

/**
 * Adds a file that the owner attached. Its name is trusted if the owner typed it. Otherwise someone
 * else may have chosen it, and the model reads it too.
 */
export function withAttached(
  labels: RunLabels,
  file: { readonly filename: string; readonly digest: string },
): RunLabels {
  const read = readOwnerWords(labels.words).hasFile(file.filename)
    ? labels
    : withContext(labels, "attached", { ...file }, [filePart(file)]);
  // Bytes that came from elsewhere before keep their source.
  return labels.files.has(file.digest)
    ? read
    : {
        ...read,
        files: new Map(read.files).set(file.digest, { filename: file.filename, isUpload: true }),
      };
}

/** The names of the files that the owner uploaded for the task, by digest. */
export function uploadsIn({ files }: Pick<RunLabels, "files">): ReadonlyMap<string, string> {
  return new Map(
    [...files].flatMap(([digest, { filename, isUpload }]) =>
      isUpload ? [[digest, filename]] : [],
    ),
  );
}

/**
 * Tools that return a file report its name beside its digest. The first name counts, because a later
 * result may claim any name for a file.
 */
function addFiles(
  files: RunLabels["files"],
  value: JsonValue,
  parts: readonly LabelPart[] = [],
): RunLabels["files"] {
  const added = new Map(files);
  const add = (digest: string, file: FileOrigin) => {
    if (!added.has(digest)) added.set(digest, file);
  };
  for (const { digest, item, copies = [] } of parts) {
    if (digest === undefined) continue;
    const { title: filename, author } = item;
    add(digest, { filename, ...omitUndefined({ author }) });
    for (const copy of copies) add(copy, added.get(digest) ?? { filename });
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const { digest, filename } = value;
    if (typeof digest === "string" && typeof filename === "string") add(digest, { filename });
  }
  return added.size === files.size ? files : added;
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

/** Marks everything as read by this run, for another run that is judged by it. */
export function withRunId(labels: RunLabels, runId: string): RunLabels {
  const mark = (source: Source): Source => ({ ...source, runId });
  return {
    ...labels,
    untrusted: labels.untrusted.map(mark),
    seen: new Map([...labels.seen].map(([key, sources]) => [key, sources.map(mark)])),
  };
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
