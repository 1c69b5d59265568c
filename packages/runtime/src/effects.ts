import { BronError, cleanText, type Effects } from "@bron/core";
import { omitUndefined, type EffectView, type Settlement } from "@bron/protocol";

export interface EffectService {
  /** Throws not_found. */
  get(ownerId: string, effectId: string): Promise<EffectView>;
  /** Effects with an unknown outcome that the owner has not settled, newest first. */
  listUnknown(ownerId: string): Promise<EffectView[]>;
  /**
   * Records once what the owner found out about an effect with an unknown outcome. Throws
   * not_found, or conflict if the outcome is known.
   */
  settle(ownerId: string, effectId: string, as: Settlement, note?: string): Promise<EffectView>;
}

export function createEffects(effects: Effects): EffectService {
  return {
    async get(ownerId, effectId) {
      const effect = await effects.get(ownerId, effectId);
      if (!effect) throw new BronError("not_found", `Effect ${effectId} not found.`);
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
