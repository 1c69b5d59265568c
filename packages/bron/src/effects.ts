import { BronError, cleanText, type Effects } from "@bron/core";
import { omitUndefined, type EffectView, type Settlement } from "@bron/protocol";

export interface EffectService {
  /** Throws not_found. */
  get(ownerId: string, effectId: string): Promise<EffectView>;
  /** Those that ended as unknown and that nobody has settled, newest first. */
  listUnknown(ownerId: string): Promise<EffectView[]>;
  /** The owner's word on an effect that ended as unknown, once. Throws not_found, or conflict if nothing is in doubt. */
  settle(ownerId: string, effectId: string, as: Settlement, note?: string): Promise<EffectView>;
}

export function createEffects(effects: Effects): EffectService {
  return {
    async get(ownerId, effectId) {
      const effect = await effects.get(ownerId, effectId);
      if (!effect) throw new BronError("not_found", `There is no effect ${effectId}.`);
      return effect;
    },
    listUnknown: (ownerId) => effects.listUnknown(ownerId),
    settle: (ownerId, effectId, as, note) =>
      effects.settle({
        ownerId,
        effectId,
        as,
        ...omitUndefined({ note: note === undefined ? undefined : cleanText(note) }),
      }),
  };
}
