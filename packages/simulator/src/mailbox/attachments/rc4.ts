/** Encrypts and decrypts. RC4 is insecure and only used for old file formats. */
export function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const box = Uint8Array.from({ length: 256 }, (_, at) => at);
  const at = (index: number) => box[index & 255] ?? 0;
  const swap = (one: number, other: number) => {
    [box[one & 255], box[other & 255]] = [at(other), at(one)];
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  const result = Buffer.alloc(data.length);
  for (let n = 0, i = 0, j = 0; n < data.length; n += 1) {
    i = (i + 1) & 255;
    j = (j + at(i)) & 255;
    swap(i, j);
    result[n] = (data[n] ?? 0) ^ at(at(i) + at(j));
  }
  return result;
}
