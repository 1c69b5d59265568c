import type { PastedText } from "./pasted-texts.ts";

/** What was typed and pasted, and not sent yet. */
interface Draft {
  readonly words: string;
  readonly pasted: readonly PastedText[];
}

const emptyDraft: Draft = { words: "", pasted: [] };
const nameOf = (field: string) => `bron-draft:${field}`;

/** The draft of a field, kept in this tab until it is sent. */
export function readDraft(field: string | undefined): Draft {
  if (field === undefined) return emptyDraft;
  try {
    const kept = sessionStorage.getItem(nameOf(field));
    return kept === null ? emptyDraft : (JSON.parse(kept) as Draft);
  } catch {
    return emptyDraft;
  }
}

/** Without storage, or when it is full, a draft lasts until the field goes. */
export function keepDraft(field: string | undefined, draft: Draft): void {
  if (field === undefined) return;
  try {
    if (draft.words === "" && draft.pasted.length === 0) sessionStorage.removeItem(nameOf(field));
    else sessionStorage.setItem(nameOf(field), JSON.stringify(draft));
  } catch {
    // See above.
  }
}
