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
  /**
   * Keeps an effect that needed no approval from starting, in time. Throws not_found or
   * approval_closed.
   */
  undo(ownerId: string, effectId: string): Promise<EffectView>;
  /**
   * Reserves the restoring of what an effect replaced for `restoringMs`, so that one caller does it
   * at a time. Throws not_found or conflict: the effect has not ended, or the text is being restored
   * or was restored.
   */
  startRestoring(restoring: Restoring): Promise<EffectView>;
  /**
   * Ends the reservation. `isRestored` records it for good, in the audit log too. Repeating it
   * changes nothing.
   */
  endRestoring(restoring: Restoring & { readonly isRestored: boolean }): Promise<EffectView>;
}

interface Restoring {
  readonly ownerId: string;
  readonly effectId: string;
}

/** Longer than restoring may take. After a crash, the owner can try again afterwards. */
export const restoringMs = 60_000;
