import type { Mailbox } from "./mailbox.ts";

/**
 * Sixteen hex digits that increase over time, like Gmail's ids. The history id makes them unique
 * even after deletions.
 */
export function newMessageId(mailbox: Mailbox, time: number): string {
  return ((BigInt(Math.floor(time)) << 20n) | BigInt(mailbox.historyId() & 0xfffff))
    .toString(16)
    .padStart(16, "0");
}
