import { BronError } from "@bron/core";
import { createHash } from "node:crypto";

interface Expected {
  readonly sizeBytes: number;
  /** Throws if it is not what it should be: asked as soon as there is enough to tell, and at the end. */
  readonly check: (bytes: Uint8Array, isComplete: boolean) => void;
}

/** Enough to tell most kinds of files apart. */
const startBytes = 8_192;

/** Exactly so many bytes, with their digest; counted and digested as they come. Throws too_large, or invalid_input if they end too early. */
export async function collectBytes(
  chunks: AsyncIterable<Uint8Array>,
  { sizeBytes, check }: Expected,
): Promise<{ bytes: Uint8Array; digest: string }> {
  // Memory is taken as it is filled, and all of it is filled in the end.
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  const hash = createHash("sha256");
  let length = 0;
  let isChecked = false;
  for await (const chunk of chunks) {
    if (length + chunk.length > sizeBytes)
      throw new BronError(
        "too_large",
        `There are more bytes than the ${sizeBytes} that were announced.`,
        { details: { maxBytes: sizeBytes } },
      );
    bytes.set(chunk, length);
    hash.update(chunk);
    length += chunk.length;
    if (isChecked || length < startBytes) continue;
    check(bytes.subarray(0, length), false);
    isChecked = true;
  }
  if (length < sizeBytes)
    throw new BronError(
      "invalid_input",
      `The bytes ended after ${length} of the ${sizeBytes} that were announced.`,
    );
  check(bytes, true);
  return { bytes, digest: `sha256:${hash.digest("hex")}` };
}
