import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";

/**
 * Appends the error to errors.log under its reference. Returns false if the file can't be written.
 */
export async function saveError(home: string, reference: string, error: unknown): Promise<boolean> {
  return await appendFile(
    join(home, "errors.log"),
    `${new Date().toISOString()} ${reference} ${inspect(error)}\n`,
    { mode: 0o600 },
  ).then(
    () => true,
    () => false,
  );
}
