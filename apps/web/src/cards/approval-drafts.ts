import { keepDraft } from "../words-field/kept-draft.ts";

/** The names of what is typed about an approval and not sent yet. It survives a reload. */
export const approvalDrafts = (id: string) => ({
  changes: `changes:${id}`,
  reason: `reason:${id}`,
});

/** Call when the approval was decided. */
export function dropApprovalDrafts(id: string): void {
  for (const name of Object.values(approvalDrafts(id))) keepDraft(name, { words: "", pasted: [] });
}
