/** What a sealed state is bound to. It cannot be opened with another binding. */
export interface Binding {
  readonly site: string;
  readonly origin: string;
  readonly visitor: string;
}

/** Why a state was refused. */
export type SealProblem = "invalid" | "expired" | "too_large";

type Opened =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly why: SealProblem };

export interface Sealer {
  /** Compresses, encrypts and signs a JSON value. */
  seal(value: unknown, binding: Binding, expiresAt: number): Promise<string>;
  open(sealed: string, binding: Binding, now: number): Promise<Opened>;
}

const version = "1";
const ivBytes = 12;
const expiryBytes = 8;
const maxSealedCharacters = 2_000_000;
/** A small text can decompress to a very large one. */
const maxOpenedBytes = 8_000_000;

/**
 * Seals states with AES-256-GCM, whose tag also signs them. The key is derived from the secret of
 * the installation for this purpose only.
 */
export async function createSealer(secretKey: string, purpose: string): Promise<Sealer> {
  const key = await deriveKey(secretKey, purpose);
  return {
    async seal(value, binding, expiresAt) {
      const plain = withExpiry(await compress(JSON.stringify(value)), expiresAt);
      const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
      const encrypted = await crypto.subtle.encrypt(parameters(iv, binding), key, plain);
      return `${version}.${toBase64Url(iv)}.${toBase64Url(new Uint8Array(encrypted))}`;
    },
    async open(sealed, binding, now) {
      if (sealed.length > maxSealedCharacters) return { ok: false, why: "too_large" };
      const plain = await decrypt(sealed, key, binding);
      if (!plain) return { ok: false, why: "invalid" };
      const expiresAt = new DataView(plain.buffer).getFloat64(0);
      if (expiresAt <= now) return { ok: false, why: "expired" };
      const text = await decompress(plain.slice(expiryBytes));
      return text === undefined
        ? { ok: false, why: "too_large" }
        : { ok: true, value: JSON.parse(text) as unknown };
    },
  };
}

async function deriveKey(secretKey: string, purpose: string): Promise<CryptoKey> {
  const encoder = new TextEncoder();
  const base = await crypto.subtle.importKey("raw", encoder.encode(secretKey), "HKDF", false, [
    "deriveKey",
  ]);
  return await crypto.subtle.deriveKey(
    {
      name: "HKDF",
      hash: "SHA-256",
      salt: new Uint8Array(),
      info: encoder.encode(`bron.page.${purpose}`),
    },
    base,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}

function parameters(iv: Uint8Array<ArrayBuffer>, { site, origin, visitor }: Binding): AesGcmParams {
  const additionalData = new TextEncoder().encode(JSON.stringify([version, site, origin, visitor]));
  return { name: "AES-GCM", iv, additionalData };
}

async function decrypt(
  sealed: string,
  key: CryptoKey,
  binding: Binding,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const [used, iv, encrypted, ...rest] = sealed
    .split(".")
    .map((part, index) => (index === 0 ? undefined : fromBase64Url(part)));
  if (!sealed.startsWith(`${version}.`) || used !== undefined || rest.length > 0) return undefined;
  if (iv?.length !== ivBytes || !encrypted) return undefined;
  try {
    const plain = await crypto.subtle.decrypt(parameters(iv, binding), key, encrypted);
    return plain.byteLength > expiryBytes ? new Uint8Array(plain) : undefined;
  } catch {
    return undefined;
  }
}

/** The expiry is inside what is encrypted, in front of the compressed value. */
function withExpiry(bytes: Uint8Array, expiresAt: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(expiryBytes + bytes.length);
  new DataView(joined.buffer).setFloat64(0, expiresAt);
  joined.set(bytes, expiryBytes);
  return joined;
}

async function compress(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Undefined for a text that is too long. */
async function decompress(bytes: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const chunk = part.value as Uint8Array;
    length += chunk.length;
    if (length > maxOpenedBytes) return undefined;
    chunks.push(chunk);
  }
  return await new Blob(chunks as Uint8Array<ArrayBuffer>[]).text();
}

function toBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined;
  return new Uint8Array(Buffer.from(text, "base64url"));
}
