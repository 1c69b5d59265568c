import type { Sign } from "@bron/client";
import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";

/** Signs as `Bron.sign` does on this home, without opening its database. Undefined if there is no secret yet. */
export async function homeSign({
  home,
  databaseUrl,
  secretKey,
}: Pick<Config, "home" | "databaseUrl" | "secretKey">): Promise<Sign | undefined> {
  const kept =
    databaseUrl === undefined
      ? await readFile(join(home, "secret-key"), "utf8").catch(() => "")
      : "";
  const secret = secretKey ?? kept.trim();
  if (secret === "") return undefined;
  return (purpose, text) =>
    createHmac("sha256", secret).update(`bron.${purpose}\n${text}`).digest("base64url");
}
