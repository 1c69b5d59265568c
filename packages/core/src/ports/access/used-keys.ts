export interface UsedKeys {
  /** Returns true for the first caller with this key in any process. */
  useOnce(key: string): Promise<boolean>;
  wasUsed(key: string): Promise<boolean>;
}
