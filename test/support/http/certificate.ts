import { subtle, type webcrypto } from "node:crypto";

/**
 * A self-signed certificate of a key pair, in the form in which identity providers publish keys.
 */
export async function certificateOf(
  privateKey: webcrypto.CryptoKey,
  publicKey: webcrypto.CryptoKey,
): Promise<string> {
  const algorithm = sequence(
    objectId(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b),
    der(0x05),
  );
  const name = sequence(
    der(0x31, sequence(objectId(0x55, 0x04, 0x03), der(0x0c, Buffer.from("test")))),
  );
  const validity = sequence(
    der(0x17, Buffer.from("250101000000Z")),
    der(0x17, Buffer.from("490101000000Z")),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    Buffer.from(await subtle.exportKey("spki", publicKey)),
  );
  const signature = Buffer.from(
    await subtle.sign("RSASSA-PKCS1-v1_5", privateKey, new Uint8Array(body)),
  );
  const certificate = sequence(
    body,
    algorithm,
    der(0x03, Buffer.concat([Buffer.from([0]), signature])),
  );
  return `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

function lengthOf(length: number): number[] {
  if (length < 128) return [length];
  const bytes = length < 256 ? [length] : [length >> 8, length & 255];
  return [128 + bytes.length, ...bytes];
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function objectId(...bytes: readonly number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}
