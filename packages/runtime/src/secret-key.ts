import { BronError, messageOf } from "@bron/core";
import { createHmac, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

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
  const path = join(home, "secret-key");
  const found = await readFile(path, "utf8").catch(() => undefined);
  if (found !== undefined && found.trim() !== "") return found.trim();
  const draft = join(home, `.secret-key-${randomBytes(6).toString("hex")}`);
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await writeFile(draft, `${newKey}\n`, { mode: 0o600, flush: true });
    await link(draft, path).catch((error: unknown) => {
      if ((error as { code?: string }).code !== "EEXIST") throw error;
    });
  } catch (error) {
    const isFull = ["ENOSPC", "EDQUOT"].includes(String((error as { code?: unknown }).code));
    throw new BronError(
      isFull ? "disk_full" : "home_unusable",
      `Can't write to ${home}: ${messageOf(error)}`,
      { cause: error },
    );
  } finally {
    await rm(draft, { force: true });
  }
  return (await readFile(path, "utf8")).trim();
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
