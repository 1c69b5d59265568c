import type { ParsedDocument } from "../parsed-document.ts";

const maxDocuments = 16;
const maxCharacters = 8_000_000;

export interface DocumentCache {
  get(digest: string): ParsedDocument | undefined;
  put(digest: string, document: ParsedDocument): void;
}

/**
 * What was parsed lately, by the digest of its bytes. Whoever asks has shown that they may read those bytes: nothing here knows owners.
 */
export function createDocumentCache(): DocumentCache {
  // A Map keeps the order of insertion: the first is the one that was used longest ago.
  const documents = new Map<string, ParsedDocument>();
  const size = () => [...documents.values()].reduce((sum, { text }) => sum + text.length, 0);
  return {
    get(digest) {
      const document = documents.get(digest);
      if (!document) return undefined;
      documents.delete(digest);
      documents.set(digest, document);
      return document;
    },
    put(digest, document) {
      documents.delete(digest);
      documents.set(digest, document);
      for (const oldest of documents.keys()) {
        if (documents.size <= maxDocuments && size() <= maxCharacters) return;
        documents.delete(oldest);
      }
    },
  };
}
