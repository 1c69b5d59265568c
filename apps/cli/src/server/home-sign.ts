import type { Sign } from "@bron/protocol";
import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";

/**
 * Signs as `runtime.sign` does on this home, without opening its database. Undefined if the home
 * has no secret yet.
 */
export async function homeSign({
  home,
  databaseUrl,
  secretKey,
}: Pick<Config, "home" | "databaseUrl" | "secretKey">): Promise<Sign | undefined> {
  const stored =
    databaseUrl === undefined
      ? await readFile(join(home, "secret-key"), "utf8").catch(() => "")
      : "";
  const secret = secretKey ?? stored.trim();
  if (secret === "") return undefined;
  return (purpose, text) =>
    createHmac("sha256", secret).update(`bron.${purpose}\n${text}`).digest("base64url");
}
