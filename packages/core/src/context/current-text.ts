import type { PartialText, RunStatus } from "@bron/protocol";

/**
 * What is still current of a stored partial text. A row that a crashed worker left is stale once the
 * run has continued or ended.
 */
export function currentText(stored: PartialText, status: RunStatus): PartialText | undefined {
  const { progress, thoughts, text, ...position } = stored;
  if (status === "planning") return { ...position, text, ...(thoughts ? { thoughts } : {}) };
  return status === "executing" && progress ? { ...position, text: "", progress } : undefined;
}
