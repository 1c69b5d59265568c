import { noLabels, type EffectContext, type Tool } from "@bron/core";
import type { JsonValue } from "@bron/protocol";

export function effectContext(changes: Partial<EffectContext> = {}): EffectContext {
  return {
    runId: "run",
    ownerId: "local",
    actionId: "action",
    bronId: "bron",
    place: null,
    labels: () => Promise.resolve(noLabels),
    effectId: "effect",
    attempt: 1,
    maxAttachmentBytes: 1_000_000,
    signal: new AbortController().signal,
    log: () => undefined,
    showCard: () => undefined,
    readArtifact: () => Promise.resolve(undefined),
    readOutput: () => Promise.resolve(undefined),
    readSkill: () => Promise.resolve(undefined),
    writersOf: () => Promise.resolve([]),
    reportProgress: () => undefined,
    requireApproval: () => Promise.resolve(),
    evidence: undefined,
    ask: () => Promise.resolve(undefined),
    keepEvidence: () => Promise.resolve(),
    keepPrevious: () => Promise.resolve(),
    saveArtifact: async () => ({ artifactId: "artifact", digest: "sha256:0" }),
    ...changes,
  };
}

/** Parses the input and calls the tool, as the loop does. */
export async function callTool(tool: Tool | undefined, input: JsonValue): Promise<JsonValue> {
  if (!tool) throw new Error("There is no such tool");
  const parsed = tool.parseInput(input);
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  const context = effectContext();
  const { prepared } = tool.sideEffect
    ? await tool.prepare(parsed.value, context)
    : { prepared: parsed.value };
  return await tool.execute(prepared, context);
}
