import { BronError, requestError, type Store, type Tool } from "@bron/core";
import {
  omitUndefined,
  previousVersionKind,
  type EffectView,
  type JsonValue,
} from "@bron/protocol";

export interface RestoreDeps {
  readonly runs: Pick<Store["runs"], "events">;
  readonly effects: Pick<Store["effects"], "get" | "startRestoring" | "endRestoring">;
  readonly artifacts: Pick<Store["artifacts"], "read">;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly sideEffects: boolean;
}

const pageSize = 1_000;
/** Shorter than the reservation, so that nothing is written after it. */
const timeoutMs = 30_000;

/**
 * Restores the text that an effect replaced. Throws conflict if the text was changed since, was
 * restored already, or if there is none. After a crash it can be tried again, because a text that is
 * back already counts as restored.
 */
export async function restoreEffect(
  { runs, effects, artifacts, tools, sideEffects }: RestoreDeps,
  ownerId: string,
  effectId: string,
): Promise<EffectView> {
  const effect = await effects.get(ownerId, effectId);
  if (!effect) throw new BronError("not_found", `Effect ${effectId} not found.`);
  const { digest, prepared } = await findReplaced(runs, ownerId, effect);
  const previous = digest === undefined ? undefined : await artifacts.read(ownerId, digest);
  const tool = tools.get(effect.tool);
  if (previous === undefined || prepared === undefined || !tool?.restore)
    throw requestError("conflict", { code: "nothing_to_restore" });
  if (!sideEffects) throw requestError("conflict", { code: "side_effects_off" });
  await effects.startRestoring({ ownerId, effectId });
  const end = (isRestored: boolean) => effects.endRestoring({ ownerId, effectId, isRestored });
  let result: "restored" | "changed";
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    result = await tool.restore(prepared, previous, { ownerId, signal });
  } catch (error) {
    await end(false);
    throw error;
  }
  const ended = await end(result === "restored");
  if (result === "changed") throw requestError("conflict", { code: "changed_since" });
  return ended;
}

/** The newest text that the effect replaced, and the form that it wrote. */
async function findReplaced(
  runs: RestoreDeps["runs"],
  ownerId: string,
  { id, runId }: EffectView,
): Promise<{ readonly digest?: string; readonly prepared?: JsonValue }> {
  let digest: string | undefined;
  let prepared: JsonValue | undefined;
  for (let after = 0; ; after += pageSize) {
    const events = await runs.events(ownerId, runId, after, pageSize);
    for (const { type, payload } of events) {
      if (type === "effect" && payload.effectId === id) prepared = payload.prepared ?? prepared;
      if (type === "artifact" && payload.kind === previousVersionKind && payload.effectId === id)
        ({ digest } = payload);
    }
    if (events.length < pageSize) return omitUndefined({ digest, prepared });
  }
}
