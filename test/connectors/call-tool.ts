import {
  noLabels,
  type Connector,
  type EffectContext,
  type Reconciliation,
  type Tool,
} from "@bron/core";
import type { JsonValue } from "@bron/protocol";
import { createHash } from "node:crypto";

export interface PreparedCall {
  readonly prepared: JsonValue;
  readonly preview: string;
  readonly execute: (attempt?: number) => Promise<Record<string, JsonValue>>;
  readonly reconcile: (
    attempt?: number,
    changes?: Partial<EffectContext>,
  ) => Promise<Reconciliation>;
}

/**
 * A connector's tools without a run around them. It makes only the calls that the loop would make.
 */
export interface ToolCaller {
  read(tool: string, input: unknown): Promise<Record<string, JsonValue>>;
  prepare(tool: string, input: unknown): Promise<PreparedCall>;
}

export function callerOf({ tools }: Pick<Connector, "tools">, ownerId: string): ToolCaller {
  const artifacts = new Map<string, Uint8Array>();
  const context: EffectContext = {
    runId: "contract",
    ownerId,
    actionId: "action",
    bronId: "bron",
    place: null,
    labels: () => Promise.resolve(noLabels),
    effectId: "effect",
    attempt: 1,
    maxAttachmentBytes: 20 * 1024 * 1024,
    signal: AbortSignal.timeout(120_000),
    log: () => undefined,
    showCard: () => undefined,
    requireApproval: () => Promise.resolve(),
    evidence: undefined,
    ask: () => Promise.resolve(undefined),
    keepEvidence: () => Promise.resolve(),
    keepPrevious: () => Promise.resolve(),
    saveArtifact({ bytes }) {
      const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
      artifacts.set(digest, bytes);
      return Promise.resolve({ artifactId: digest, digest });
    },
    readArtifact: (digest) => Promise.resolve(artifacts.get(digest)),
    readOutput: () => Promise.resolve(undefined),
    readSkill: () => Promise.resolve(undefined),
    writersOf: () => Promise.resolve([]),
    reportProgress: () => undefined,
  };
  const find = (name: string): Tool => {
    const tool = tools.find((one) => one.name === name);
    if (!tool) throw new Error(`Unknown tool ${name}`);
    return tool;
  };
  return {
    async read(name, input) {
      const tool = find(name);
      return (await tool.execute(parse(tool, input), context)) as Record<string, JsonValue>;
    },
    async prepare(name, input) {
      const tool = find(name);
      const { prepared, preview } = await tool.prepare(parse(tool, input), context);
      return {
        prepared,
        preview,
        execute: async (attempt = 1) =>
          (await tool.execute(prepared, { ...context, attempt })) as Record<string, JsonValue>,
        reconcile: async (attempt = 1, changes = {}) =>
          (await tool.reconcile?.(prepared, { ...context, attempt, ...changes })) ?? {
            state: "unknown",
          },
      };
    },
  };
}

function parse(tool: Tool, input: unknown): JsonValue {
  const parsed = tool.parseInput(input as JsonValue);
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  return parsed.value;
}
