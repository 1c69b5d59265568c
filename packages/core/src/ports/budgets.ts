export interface Budgets {
  /** Sets or removes an owner's money cap. */
  setOwnerCap(ownerId: string, capMicrousd: number | null): Promise<void>;
  ownerSpending(ownerId: string): Promise<{ capMicrousd: number | null; drawnMicrousd: number }>;
}
