import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Other users can enter it, because the embedded Postgres of root runs as another user. */
export async function makeTempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bron-cli-"));
  await chmod(folder, 0o755);
  return folder;
}

/** Creates a folder that is removed when the current test finishes. */
export async function tempFolder(): Promise<string> {
  const folder = await makeTempFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
