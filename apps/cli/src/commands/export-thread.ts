import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { fileError } from "../file-error.ts";
import { findThread } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { shortId } from "../render/short-id.ts";
import { json, line } from "../terminal.ts";

export interface ExportOptions {
  readonly output?: string;
  readonly json?: boolean;
}

/** Writes the zip to a draft first, so that the file is complete if it exists. */
export async function exportThread(
  context: CommandContext,
  id: string,
  { output, json: asJson }: ExportOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  const { thread, path } = await reachRuntime(context, { work: "none" }, async ({ client }) => {
    const found = await findThread(client, id);
    const target = output ?? `bron-thread-${shortId(found.id)}.zip`;
    await writeFile(target, client.exportThread(found.id), terminal.stop);
    return { thread: found, path: target };
  });
  if (asJson === true) json(terminal, { exported: path, thread });
  else
    line(
      terminal,
      `Exported ${thread.runCount} ${thread.runCount === 1 ? "run" : "runs"} to ${path}. It may contain private text, so store it safely.`,
    );
  return 0;
}

async function writeFile(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const draft = `${path}.part`;
  try {
    await pipeline(
      Readable.from(chunks),
      createWriteStream(draft, { mode: 0o600, flags: "w", flush: true }),
      { signal },
    );
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw fileError(error, path);
  }
}
