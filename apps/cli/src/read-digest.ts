import type { ApprovalView } from "@bron/protocol";

/** 64 bits. Nobody can make another content that begins with the same. */
const minCharacters = 16;

/** Enough of a digest to name what was seen, and short enough to type. */
export function shortDigest(digest: string): string {
  return digest.replace(/^sha256:/, "").slice(0, minCharacters);
}

/**
 * The whole digest, if the beginning of it is given. Anything else is returned as it is, so that the
 * server rejects it.
 */
export function readDigest({ digest }: Pick<ApprovalView, "digest">, given: string): string {
  const start = given.toLowerCase().replace(/^sha256:/, "");
  const isStart = start.length >= minCharacters && digest.startsWith(`sha256:${start}`);
  return isStart ? digest : given;
}
