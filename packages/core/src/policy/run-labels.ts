import type { JsonValue, Label, Origin } from "@bron/protocol";
import { readOwnerWords } from "./named-by-owner.ts";
import { addressesIn, hostsIn, textsIn, withoutUnseen } from "./names.ts";

/** A result that entered the run. */
export interface Source extends Label {
  readonly tool: string;
  readonly actionId: string;
}

/** What a run has read so far, as far as trust is concerned. Folded from the log; immutable. */
export interface RunLabels {
  /** What others wrote, in the order in which it came. */
  readonly untrusted: readonly Source[];
  /** Addresses, hosts and digests by where they were seen; keys as `keyOf` makes them. */
  readonly seen: ReadonlyMap<string, readonly Source[]>;
  /** The names that files came under, by digest. */
  readonly files: ReadonlyMap<string, string>;
  /** All that the owner typed. */
  readonly words: string;
  /** Tools that were named while nothing but the owner's words was in view. */
  readonly planned: ReadonlySet<string>;
}

export const noLabels: RunLabels = {
  untrusted: [],
  seen: new Map(),
  files: new Map(),
  words: "",
  planned: new Set(),
};

/** Names the changing tools that a task needs, before anything is read. */
export const planToolName = "plan";

export type SeenKind = "address" | "host" | "digest";

export function keyOf(kind: SeenKind, value: string): string {
  return `${kind} ${value}`;
}

export function withWords(labels: RunLabels, words: string): RunLabels {
  return { ...labels, words: labels.words === "" ? words : `${labels.words}\n${words}` };
}

/** Calls that the model made: those made before anything untrusted was read are the owner's own plan. */
export function withCalls(
  labels: RunLabels,
  calls: readonly { readonly tool: string; readonly input: JsonValue }[],
): RunLabels {
  if (labels.untrusted.length > 0) return labels;
  const named = calls.flatMap(({ tool, input }) =>
    tool === planToolName ? toolsNamed(input) : [tool],
  );
  return named.length === 0
    ? labels
    : { ...labels, planned: new Set([...labels.planned, ...named]) };
}

function toolsNamed(input: JsonValue): string[] {
  const tools =
    typeof input === "object" && input !== null && !Array.isArray(input)
      ? input["tools"]
      : undefined;
  return Array.isArray(tools) ? tools.filter((tool) => typeof tool === "string") : [];
}

export interface NewResult {
  readonly tool: string;
  readonly actionId: string;
  readonly label: Label;
  /** Whatever the model gets to see. */
  readonly value: JsonValue;
}

const mostCharacters = 2_000_000;

export function withResult(
  labels: RunLabels,
  { tool, actionId, label, value }: NewResult,
): RunLabels {
  if (label.trusted) return labels;
  const source: Source = { ...label, tool, actionId };
  return {
    ...labels,
    untrusted: [...labels.untrusted, source],
    seen: seenWith(labels.seen, source, value),
    files: filesWith(labels.files, value),
  };
}

/** What was there before the run began: attached context, and answers of earlier runs. */
export function withContext(labels: RunLabels, origin: Origin, value: JsonValue): RunLabels {
  return withResult(labels, {
    tool: "",
    actionId: "",
    label: { origin, trusted: false, private: true, readers: [] },
    value,
  });
}

/** A file that the owner attached. Its name is theirs if they typed it; else others may have chosen it, and it speaks to the model too. */
export function withAttached(
  labels: RunLabels,
  file: { readonly filename: string; readonly digest: string },
): RunLabels {
  if (!readOwnerWords(labels.words).hasFile(file.filename))
    return withContext(labels, "attached", { ...file });
  return { ...labels, files: filesWith(labels.files, { ...file }) };
}

/** A tool that brings a file says its name beside its digest. */
function filesWith(files: RunLabels["files"], value: JsonValue): RunLabels["files"] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return files;
  const { digest, filename } = value;
  return typeof digest === "string" && typeof filename === "string"
    ? new Map([...files, [digest, filename]])
    : files;
}

function seenWith(seen: RunLabels["seen"], source: Source, value: JsonValue): RunLabels["seen"] {
  const text = withoutUnseen(textsIn(value).join("\n").slice(0, mostCharacters));
  const keys = [
    ...addressesIn(text).map((address) => keyOf("address", address)),
    ...hostsIn(text).map((host) => keyOf("host", host)),
    ...[...text.matchAll(/\bsha256:[0-9a-f]{64}\b/g)].map(([digest]) => keyOf("digest", digest)),
  ];
  if (keys.length === 0) return seen;
  const next = new Map(seen);
  for (const key of new Set(keys)) next.set(key, [...(next.get(key) ?? []), source]);
  return next;
}

/**
 * What was there before the run, and what the run read since. With anything untrusted from the start no plan is the owner's alone.
 * A part of another run has that one's labels before it, the owner's words among them.
 */
export function joined(before: RunLabels, run: RunLabels): RunLabels {
  if (before === noLabels) return run;
  const seen = new Map(before.seen);
  for (const [key, sources] of run.seen) seen.set(key, [...(seen.get(key) ?? []), ...sources]);
  return {
    untrusted: [...before.untrusted, ...run.untrusted],
    seen,
    files: new Map([...before.files, ...run.files]),
    words: [before.words, run.words].filter((words) => words !== "").join("\n"),
    planned: before.untrusted.length > 0 ? new Set() : new Set([...before.planned, ...run.planned]),
  };
}
