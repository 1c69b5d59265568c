import type { Risk } from "@bron/protocol";
import { readFileMention, wordsBesideName } from "../../intent/file-mention.ts";
import { thingKey, type ResolvedAsk } from "../../intent/intent.ts";
import type { JudgeInput } from "../judge-input.ts";
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
    const original = labels.files.get(digest)?.filename;
    const isRenamed = original !== undefined && original !== filename;
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
