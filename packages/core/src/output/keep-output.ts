import { keptOutputKind, type KeptOutput, omitUndefined } from "@bron/protocol";
import type { Artifacts } from "../ports/runs/artifacts.ts";
import type { Clock } from "../ports/clock.ts";
import type { RunHeader } from "../ports/runs/run-log.ts";
import { previewOutput } from "../tool/output-preview.ts";
import type { ToolOutput } from "../tool/tool-json.ts";
import type { Tool } from "../tool/tool.ts";
import { retryOutages } from "../run/retry-outages.ts";
import type { OpenAction } from "../run/state/run-state.ts";

interface KeepDeps {
  readonly artifacts: Pick<Artifacts, "put">;
  readonly clock: Clock;
}

interface KeepInput {
  readonly run: RunHeader;
  readonly tool: Pick<Tool, "name" | "labelOf">;
  readonly action: OpenAction;
  readonly signal: AbortSignal;
}

/** How long a finished call waits for storage before only its preview is recorded. */
const maxOutageMs = 60_000;

/**
 * Stores a long output and replaces it with a preview. The bytes are stored before the result gets
 * into the log, so a pointer in the log always leads somewhere. Never throws: a call that has
 * finished must not be lost because its output could not be kept.
 */
export async function keepOutput<Result extends { readonly state: string }>(
  { artifacts, clock }: KeepDeps,
  { run, tool, action, signal }: KeepInput,
  result: Result & Partial<ToolOutput>,
): Promise<Result & Partial<ToolOutput>> {
  const { long, ...rest } = result;
  if (!long || result.output === undefined) return result;
  const { text, mediaType } = long;
  // The preview may lack what the label depends on, so the whole output is labeled.
  const label = tool.labelOf(result.output);
  const bytes = new TextEncoder().encode(text);
  const name = `${tool.name}.${mediaType === "application/json" ? "json" : "txt"}`;
  const stored = await retryOutages(
    { clock, signal, maxMs: maxOutageMs, onOutage: () => undefined },
    () =>
      artifacts.put({
        ownerId: run.ownerId,
        runId: run.id,
        kind: keptOutputKind,
        name,
        mediaType,
        bytes,
      }),
  ).catch(() => undefined);
  const kept: KeptOutput | undefined = stored && {
    outputId: action.id,
    digest: stored.digest,
    name,
    mediaType,
    sizeBytes: stored.sizeBytes,
    characters: text.length,
  };
  return {
    ...(rest as Result),
    output: previewOutput(text, kept?.outputId),
    label,
    ...omitUndefined({ kept }),
  };
}
