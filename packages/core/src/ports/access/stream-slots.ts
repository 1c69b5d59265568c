/** Open streams. Each slot expires unless its holder renews it. */
export interface StreamSlots {
  /** Returns false if the owner already has `max` slots in all processes together. */
  take(slot: {
    readonly id: string;
    readonly ownerId: string;
    readonly max: number;
    readonly holder: string;
    readonly ttlMs: number;
  }): Promise<boolean>;
  /**
   * Renews all slots of a holder (owners by slot ID) in one statement. A slot that was lost is
   * restored.
   */
  renew(holder: string, slots: ReadonlyMap<string, string>, ttlMs: number): Promise<void>;
  remove(id: string): Promise<void>;
  removeAll(holder: string): Promise<void>;
}
