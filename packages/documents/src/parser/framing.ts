/** Encodes a frame: four bytes of big-endian length, then the payload. */
export function encodeFrame(payload: Uint8Array): Buffer {
  return Buffer.concat([frameHeader(payload.length), payload]);
}

/** Header for a payload that is too large to copy. */
export function frameHeader(length: number): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt32BE(length);
  return header;
}

/**
 * Passes each complete frame to `onFrame`. Returns false and stops reading when a frame announces
 * more than `maxBytes`, because later frames can no longer be separated.
 */
export function createFrameReader(
  maxBytes: number,
  onFrame: (payload: Buffer) => void,
): (chunk: Buffer) => boolean {
  let chunks: Buffer[] = [];
  let heldBytes = 0;
  let needed = 4;
  let inHeader = true;
  let broken = false;
  return (chunk) => {
    chunks.push(chunk);
    heldBytes += chunk.length;
    // Join chunks only when a frame is complete, so that a long one is not copied again with every
    // chunk.
    while (!broken && heldBytes >= needed) {
      const joined = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      const payload = joined.subarray(0, needed);
      chunks = [joined.subarray(needed)];
      heldBytes -= needed;
      if (inHeader) {
        needed = payload.readUInt32BE(0);
        broken = needed > maxBytes;
        inHeader = false;
      } else {
        onFrame(payload);
        needed = 4;
        inHeader = true;
      }
    }
    return !broken;
  };
}
