import type { Risk } from "@bron/protocol";
import { readFileMention, wordsBesideName } from "../../intent/file-mention.ts";
import { thingKey, type ResolvedAsk } from "../../intent/intent.ts";
import type { JudgeInput } from "../judge-input.ts";
import type { RunLabels } from "../run-labels.ts";
import { sourcesOf } from "./risk-sources.ts";

/**
 * Returns a risk for each attached file that the owner's words do not mention. A file is known by
 * its bytes, and counts as mentioned only under the name that it came with.
 */
export function attachmentRisks(
  { facts, labels }: JudgeInput,
  {
    ask,
    chosenFiles,
  }: { readonly ask: ResolvedAsk | undefined; readonly chosenFiles: readonly string[] },
): Risk[] {
  return facts.attachments.flatMap(({ filename, digest }): Risk[] => {
    if (chosenFiles.includes(digest)) return [];
    const originals = originalNames(digest, { labels, ask });
    const [original] = originals;
    const isRenamed =
      original !== undefined && !originals.some((name) => isSameName(name, filename));
    if (!isRenamed && ask?.things.has(thingKey("file", digest)) === true) return [];
    const senders = sendersOf(filename, digest, ask);
    return [
      {
        kind: "attachment",
        value: filename,
        why: { code: "file_not_mentioned", filename },
        ...sourcesOf(labels, "digest", digest),
        notes: [
          ...(isRenamed ? [{ code: "renamed", original } as const] : []),
          ...(senders.length > 1 ? [{ code: "same_name", senders } as const] : []),
        ],
      },
    ];
  });
}

/** The name with which the run read the file, or else those that it has in the account. */
function originalNames(
  digest: string,
  { labels, ask }: { readonly labels: RunLabels; readonly ask: ResolvedAsk | undefined },
): readonly string[] {
  const read = labels.files.get(digest);
  if (read) return [read.filename];
  const found = ask?.files?.flatMap((mention) => mention.found) ?? [];
  return found.flatMap((file) => (file.digest === digest ? [file.filename] : []));
}

/** A mail has the name of a file without the signs that a name cannot have. */
function isSameName(original: string, filename: string): boolean {
  return original === filename || original.trim().replaceAll(/[/\\]/g, "_") === filename;
}

/** Everyone from whom the account has a file that the owner could mean. */
function sendersOf(filename: string, digest: string, ask: ResolvedAsk | undefined): string[] {
  const files = ask?.files ?? [];
  const mentions = files.filter(
    ({ words, found }) =>
      found.some((file) => file.digest === digest) ||
      wordsBesideName(readFileMention(words), filename) !== undefined,
  );
  return [...new Set(mentions.flatMap(({ found }) => found.map(({ from }) => from)))];
}
