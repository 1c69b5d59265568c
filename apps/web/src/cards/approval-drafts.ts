import { keepDraft } from "../words-field/kept-draft.ts";

/** The names of what is typed about an approval and not sent yet. It survives a reload. */
export const decisionDrafts = (id: string) => ({
  changes: `changes:${id}`,
  reason: `reason:${id}`,
});

/** Call when the approval was decided. */
export function dropDecisionDrafts(id: string): void {
  for (const name of Object.values(decisionDrafts(id))) keepDraft(name, { words: "", pasted: [] });
}
