const maxMails = 5_000;

/** Sent mails that show no person whom the owner knows. Their headers never change. */
interface SkippedMails {
  has(ownerId: string, messageId: string): boolean;
  add(ownerId: string, messageId: string): void;
}

/** Keeps the newest few thousand in memory, so that each of them is requested once. */
export function createSkippedMails(): SkippedMails {
  const keys = new Set<string>();
  const keyOf = (ownerId: string, messageId: string) => `${messageId} ${ownerId}`;
  return {
    has: (ownerId, messageId) => keys.has(keyOf(ownerId, messageId)),
    add(ownerId, messageId) {
      keys.add(keyOf(ownerId, messageId));
      const [oldest] = keys;
      if (keys.size > maxMails && oldest !== undefined) keys.delete(oldest);
    },
  };
}
