import type { EffectView, Settlement } from "@bron/protocol";

export interface Effects {
  get(ownerId: string, effectId: string): Promise<EffectView | undefined>;
  /** Effects that ended as unknown and that the owner has not settled, newest first. */
  listUnknown(ownerId: string): Promise<EffectView[]>;
  /**
   * Works once, and only for an effect that ended as unknown. The run's log stays unchanged. Throws
   * not_found or conflict.
   */
  settle(settling: {
    readonly ownerId: string;
    readonly effectId: string;
    readonly as: Settlement;
    readonly note?: string;
  }): Promise<EffectView>;
}
