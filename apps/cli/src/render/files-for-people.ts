import { keptOutputKind, previousVersionKind, type ArtifactView } from "@bron/protocol";

/** What a step kept for the next steps, and not for people. */
const workingKinds: ReadonlySet<string> = new Set([
  keptOutputKind,
  previousVersionKind,
  "document_text",
  "extracted_json",
  "pdf_summary",
]);

/** Whether people look for this file, or only a later step does. */
export function isFileForPeople({ kind }: Pick<ArtifactView, "kind">): boolean {
  return !workingKinds.has(kind);
}
