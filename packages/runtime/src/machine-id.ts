import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { readOrCreate } from "./home-file.ts";

/** The name of the machine that a home is on. It stays the same, also when the host is renamed. */
export async function homeMachineId(home: string): Promise<string> {
  const host =
    hostname()
      .replace(/[^\w.-]/g, "")
      .slice(0, 100) || "machine";
  return await readOrCreate(home, "machine-id", `${host}-${randomBytes(4).toString("hex")}`);
}
