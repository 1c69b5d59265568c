import { BronError, messageOf } from "@bron/core";
import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Reads a private line of text in a home, or creates it. Two processes that create it at the same
 * time get the same text.
 */
export async function readOrCreate(home: string, name: string, newText: string): Promise<string> {
  const path = join(home, name);
  const found = await readFile(path, "utf8").catch(() => undefined);
  if (found !== undefined && found.trim() !== "") return found.trim();
  const draft = join(home, `.${name}-${randomBytes(6).toString("hex")}`);
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await writeFile(draft, `${newText}\n`, { mode: 0o600, flush: true });
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
