import { nameWords, type ToolContext } from "@bron/core";
import { readFromGoogle } from "../google/call-google.ts";
import { ifFound } from "../google/if-found.ts";
import type { GmailDeps } from "./gmail-deps.ts";
import { readMailMention } from "./mail-mention.ts";
import { headerOf } from "./read-mail.ts";

const maxDrafts = 50;
const batchSize = 10;
const ownWords = new Set("draft drafts entwurf brouillon borrador bozza concept szkic".split(" "));

/**
 * The drafts that a mention could mean: by id, or those whose subject and recipients have all of its
 * words. Only the owner and Bron write drafts, so no one else can choose their subjects.
 */
export async function findDraftMention(
  deps: GmailDeps,
  mention: string,
  context: ToolContext,
): Promise<readonly string[]> {
  const words = readMailMention(mention).words.filter((word) => !ownWords.has(word));
  const { drafts = [], nextPageToken } = await readFromGoogle(deps, context, ({ gmail }, options) =>
    gmail.users.drafts.list({ userId: "me", maxResults: maxDrafts }, options),
  );
  const byId = drafts.filter(({ id }) => id === mention.trim());
  if (byId.length > 0) return byId.flatMap(({ id }) => id ?? []);
  // Older drafts, which are not in this list, may match too.
  if (drafts.length >= maxDrafts || nextPageToken) return [];
  if (words.length === 0) return drafts.flatMap(({ id }) => id ?? []);
  const found: string[] = [];
  for (let at = 0; at < drafts.length; at += batchSize) {
    const batch = drafts.slice(at, at + batchSize);
    const known = await Promise.all(
      batch.map(({ message }) => wordsOfDraft(deps, message?.id ?? "", context)),
    );
    for (const [index, { id }] of batch.entries())
      if (id && words.every((word) => known[index]?.includes(word) === true)) found.push(id);
  }
  return found;
}

async function wordsOfDraft(
  deps: GmailDeps,
  messageId: string,
  context: ToolContext,
): Promise<readonly string[]> {
  const headers = ["Subject", "To", "Cc"];
  const message = await ifFound(
    readFromGoogle(deps, context, ({ gmail }, options) =>
      gmail.users.messages.get(
        { userId: "me", id: messageId, format: "metadata", metadataHeaders: headers },
        options,
      ),
    ),
  );
  return message ? headers.flatMap((name) => nameWords(headerOf(message, name))) : [];
}
