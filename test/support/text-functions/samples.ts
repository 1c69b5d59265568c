import type { JsonValue } from "@bron/protocol";
import * as runLabels from "../../../packages/core/src/policy/run-labels.ts";

export const label = { origin: "mail" as const, trusted: false, private: true, readers: [] };
export const nested = (text: string): JsonValue =>
  Array.from({ length: 150 }).reduce<JsonValue>(
    (inner) => [inner],
    text.split("").slice(0, text.length / 8),
  );
export const toolEnd = (text: string) => ({
  phase: "end" as const,
  actionId: "a",
  name: "t",
  outcome: "completed" as const,
  output: { text },
  label,
});
export const context = {
  runId: "r",
  ownerId: "o",
  actionId: "a",
  bronId: "bron",
  labels: () => Promise.resolve(runLabels.noLabels),
  effectId: "e",
  attempt: 1,
  maxAttachmentBytes: 1,
  signal: new AbortController().signal,
  log: () => undefined,
  showCard: () => undefined,
  saveArtifact: () => Promise.resolve({ artifactId: "a", digest: "d" }),
  readArtifact: () => Promise.resolve(undefined),
  writersOf: () => Promise.resolve([]),
  readOutput: () => Promise.resolve(undefined),
  readSkill: () => Promise.resolve(undefined),
  reportProgress: () => undefined,
  requireApproval: () => Promise.resolve(),
  evidence: undefined,
  keepEvidence: () => Promise.resolve(),
  ask: () => Promise.resolve(undefined),
  keepPrevious: () => Promise.resolve(),
};
