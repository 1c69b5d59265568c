/** Frames on a pipe: four bytes of length, big-endian, then as many bytes. */
export function encodeFrame(payload: Uint8Array): Buffer {
  return Buffer.concat([frameHeader(payload.length), payload]);
}

/** Ahead of bytes that are too many to copy. */
export function frameHeader(length: number): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt32BE(length);
  return header;
}

/**
 * Gives each frame to `onFrame` once it is whole. Answers false, and reads no more, when a frame announces more than `maxBytes`:
 * what follows cannot be told apart any more.
 */
export function createFrameReader(
  maxBytes: number,
  onFrame: (payload: Buffer) => void,
): (chunk: Buffer) => boolean {
  let chunks: Buffer[] = [];
  let held = 0;
  let needed = 4;
  let inHeader = true;
  let broken = false;
  return (chunk) => {
    chunks.push(chunk);
    held += chunk.length;
    // Joined only when a frame is whole: a long one is not copied again with every chunk.
    while (!broken && held >= needed) {
      const joined = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      const payload = joined.subarray(0, needed);
      chunks = [joined.subarray(needed)];
      held -= needed;
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
