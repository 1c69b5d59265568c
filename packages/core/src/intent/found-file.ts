import type { ContactNames } from "./contact-names.ts";

/** A file that a mention could mean. */
export interface FoundFile {
  readonly digest: string;
  readonly filename: string;
  /** Who sent it, as it is shown to the owner. */
  readonly from: string;
  /**
   * It came from the owner, or from a sender who is verified and either a trusted contact or someone
   * to whom the owner has written by hand. If the words name a sender, from them.
   */
  readonly isTrusted: boolean;
}

/** What a tool looks for in the owner's accounts, and whom the owner trusts. */
export interface FileQuery extends ContactNames {
  readonly words: string;
}

/**
 * Finds every file that a mention could mean, by what is in the account. It must not use anything
 * that the model chose.
 */
export type FindFiles = (query: FileQuery) => Promise<readonly FoundFile[]>;

/** A mention of a file, with all that it could mean. */
export interface MentionedFile {
  readonly words: string;
  readonly found: readonly FoundFile[];
}

/** The digest of the only file that is meant. Others of that name and with other bytes ask. */
export function onlyFile(found: readonly FoundFile[]): string | undefined {
  const [digest, ...others] = new Set(found.map((file) => file.digest));
  return others.length === 0 && found.some(({ isTrusted }) => isTrusted) ? digest : undefined;
}
