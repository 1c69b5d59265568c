import type { ParsedDocument } from "../parsed-document.ts";
import { wholeText } from "../whole-text.ts";

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
  const documents = new Map<string, { readonly document: ParsedDocument; readonly size: number }>();
  const totalSize = () => [...documents.values()].reduce((sum, { size }) => sum + size, 0);
  return {
    get(digest) {
      const kept = documents.get(digest);
      if (!kept) return undefined;
      documents.delete(digest);
      documents.set(digest, kept);
      return kept.document;
    },
    put(digest, document) {
      documents.delete(digest);
      documents.set(digest, { document, size: wholeText(document).length });
      for (const oldest of documents.keys()) {
        if (documents.size <= maxDocuments && totalSize() <= maxCharacters) return;
        documents.delete(oldest);
      }
    },
  };
}
