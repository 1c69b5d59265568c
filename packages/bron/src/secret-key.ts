import { BronError, messageOf } from "@bron/core";
import { createHmac, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const minBytes = 32;

/** Gives a home the key of a backup. Throws conflict if it has another one. */
export async function adoptSecretKey(home: string, key: string): Promise<void> {
  if ((await homeSecretKey(home, key)) !== key)
    throw new BronError(
      "conflict",
      `${home} has a key of its own already; restore into a new home.`,
    );
}

/** The key of a home, made once. Two processes that make it at the same time end with the same one. */
export async function homeSecretKey(
  home: string,
  made = randomBytes(minBytes).toString("base64url"),
): Promise<string> {
  const path = join(home, "secret-key");
  const found = await readFile(path, "utf8").catch(() => undefined);
  if (found !== undefined && found.trim() !== "") return found.trim();
  const draft = join(home, `.secret-key-${randomBytes(6).toString("hex")}`);
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await writeFile(draft, `${made}\n`, { mode: 0o600, flush: true });
    await link(draft, path).catch((error: unknown) => {
      if ((error as { code?: string }).code !== "EEXIST") throw error;
    });
  } catch (error) {
    const isFull = ["ENOSPC", "EDQUOT"].includes(String((error as { code?: unknown }).code));
    throw new BronError(
      isFull ? "disk_full" : "home_unusable",
      `${home} cannot be written: ${messageOf(error)}`,
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
      "BRON_SECRET_KEY is not set; with DATABASE_URL it is needed, the same on every machine.",
    );
  if (Buffer.byteLength(key) < minBytes)
    throw new BronError(
      "secret_key_missing",
      `BRON_SECRET_KEY is too short: ${Buffer.byteLength(key)} bytes, ${minBytes} are the least.`,
    );
  return key;
}

/** Says whether two keys are the same without saying anything about them. */
export function fingerprint(key: string): string {
  return createHmac("sha256", key).update("bron.secret-key.fingerprint").digest("hex").slice(0, 32);
}
