import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";

/** So that a reference leads somewhere. False if it could not be written: what went wrong may well be the disk. */
export async function keepError(home: string, reference: string, error: unknown): Promise<boolean> {
  return await appendFile(
    join(home, "errors.log"),
    `${new Date().toISOString()} ${reference} ${inspect(error)}\n`,
    { mode: 0o600 },
  ).then(
    () => true,
    () => false,
  );
}
