import { BronError } from "@bron/core";
import { createHmac, randomBytes } from "node:crypto";
import { readOrCreate } from "./home-file.ts";

const minBytes = 32;

/** Gives a home the key of a backup. Throws conflict if the home has another key. */
export async function adoptSecretKey(home: string, key: string): Promise<void> {
  if ((await homeSecretKey(home, key)) !== key)
    throw new BronError("conflict", `${home} already has its own key. Restore into a new home.`);
}

/**
 * Reads the key of a home, or creates it. Two processes that create it at the same time get the
 * same key.
 */
export async function homeSecretKey(
  home: string,
  newKey = randomBytes(minBytes).toString("base64url"),
): Promise<string> {
  return await readOrCreate(home, "secret-key", newKey);
}

export function checkSecretKey(key: string | undefined): string {
  if (key === undefined || key === "")
    throw new BronError(
      "secret_key_missing",
      "BRON_SECRET_KEY is not set. It is required with DATABASE_URL, and must be the same on every machine.",
    );
  if (Buffer.byteLength(key) < minBytes)
    throw new BronError(
      "secret_key_missing",
      `BRON_SECRET_KEY is too short: ${Buffer.byteLength(key)} bytes (the minimum is ${minBytes}).`,
    );
  return key;
}

/** Identifies a key without revealing anything about it. */
export function fingerprint(key: string): string {
  return createHmac("sha256", key).update("bron.secret-key.fingerprint").digest("hex").slice(0, 32);
}
