import type { Mailbox } from "./mailbox.ts";

/** Sixteen hex digits that grow with time, as Gmail's do. The history makes them unique, also after something was removed. */
export function newMessageId(mailbox: Mailbox, time: number): string {
  return ((BigInt(Math.floor(time)) << 20n) | BigInt(mailbox.historyId() & 0xfffff))
    .toString(16)
    .padStart(16, "0");
}
