import { mailFacts, type MailFacts } from "../mime/mail-facts.ts";
import { parseMime, type MimePart } from "../mime/parse-mime.ts";
import { createSearchDocument, type SearchDocument } from "../search/search-document.ts";

/**
 * The content of a message, shared by all mailboxes that hold it. Bytes are created or read on
 * demand.
 */
export interface MailContent {
  readonly sizeBytes: number;
  readonly facts: () => MailFacts;
  readonly document: () => SearchDocument;
  /** Headers and structure. Attachments may be empty. */
  readonly outline: () => Promise<MimePart>;
  readonly raw: () => Promise<Buffer>;
}

export function rawContent(sizeBytes: number, read: () => Buffer): MailContent {
  const root = once(() => parseMime(read()));
  const facts = once(() => mailFacts(root()));
  return {
    sizeBytes,
    facts,
    document: once(() => createSearchDocument(facts())),
    outline: () => Promise.resolve(root()),
    raw: () => Promise.resolve(read()),
  };
}

export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
