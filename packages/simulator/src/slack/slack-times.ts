/** A timestamp in microseconds since 1970, which orders messages. Undefined for invalid input. */
export function readTs(text: string): bigint | undefined {
  const [, seconds, fraction = ""] = /^(\d{1,11})(?:\.(\d{0,6}))?$/.exec(text) ?? [];
  return seconds === undefined
    ? undefined
    : BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(6, "0"));
}

function writeTs(microseconds: bigint): string {
  return `${microseconds / 1_000_000n}.${String(microseconds % 1_000_000n).padStart(6, "0")}`;
}

/** A ts for a time in milliseconds, or the next free ts after the last message. */
export function newTs(timeMs: number, lastTs: string | undefined): string {
  const wanted = BigInt(Math.floor(timeMs)) * 1000n;
  const last = lastTs === undefined ? 0n : (readTs(lastTs) ?? 0n);
  return writeTs(wanted > last ? wanted : last + 1n);
}
