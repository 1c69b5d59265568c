import type { ParsedDocument } from "../parsed-document.ts";
import { fullText } from "../full-text.ts";

const maxDocuments = 16;
const maxCharacters = 8_000_000;

export interface DocumentCache {
  get(digest: string): ParsedDocument | undefined;
  put(digest: string, document: ParsedDocument): void;
}

/**
 * Recently parsed documents by the digest of their bytes. Callers must have read those bytes first,
 * because the cache does not know owners.
 */
export function createDocumentCache(): DocumentCache {
  // A Map keeps insertion order, so the first entry is the least recently used.
  const documents = new Map<string, { readonly document: ParsedDocument; readonly size: number }>();
  const totalSize = () => [...documents.values()].reduce((sum, { size }) => sum + size, 0);
  return {
    get(digest) {
      const cached = documents.get(digest);
      if (!cached) return undefined;
      documents.delete(digest);
      documents.set(digest, cached);
      return cached.document;
    },
    put(digest, document) {
      documents.delete(digest);
      documents.set(digest, { document, size: fullText(document).length });
      for (const oldest of documents.keys()) {
        if (documents.size <= maxDocuments && totalSize() <= maxCharacters) return;
        documents.delete(oldest);
      }
    },
  };
}
