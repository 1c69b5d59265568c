import type { Client } from "@bron/client";
import { BronError } from "@bron/core";
import { createEntryNames } from "@bron/files";
import { formatBytes, type ArtifactView } from "@bron/protocol";
import { lstat, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { fileError } from "../file-error.ts";
import { findRun } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { isFileForPeople } from "../render/files-for-people.ts";
import { shortId } from "../render/short-id.ts";
import { table } from "../render/table.ts";
import { json, line } from "../terminal.ts";

interface ListOptions {
  readonly all?: boolean;
  readonly json?: boolean;
}

interface SaveOptions extends ListOptions {
  readonly force?: boolean;
}

interface NamedFile extends ArtifactView {
  /** Safe on every operating system, and unique in the run. */
  readonly file: string;
}

export async function listArtifacts(
  context: CommandContext,
  id: string,
  options: ListOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  const { files } = await reachRuntime(context, { work: "none" }, ({ client }) =>
    readFiles(client, id, options),
  );
  if (options.json === true) json(terminal, { artifacts: files });
  else if (files.length === 0) line(terminal, "This run has no files.");
  else {
    const rows = files.map(({ sizeBytes, file }) => [formatBytes(sizeBytes), file]);
    for (const text of table(["SIZE", "NAME"], rows, terminal.columns)) line(terminal, text);
  }
  return 0;
}

/** Saves the files of a run in a folder. Without `force`, a file that exists is not replaced. */
export async function saveArtifacts(
  context: CommandContext,
  id: string,
  folder: string | undefined,
  options: SaveOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  return await reachRuntime<ExitCode>(context, { work: "none" }, async ({ client }) => {
    const { runId, files } = await readFiles(client, id, options);
    const target = folder ?? `bron-files-${shortId(runId)}`;
    const saved: string[] = [];
    if (files.length > 0)
      await mkdir(target, { recursive: true }).catch((error: unknown) => {
        throw fileError(error, target);
      });
    const paths = files.map(({ file }) => join(target, file));
    // Before the first file is written, so that a refusal leaves nothing behind.
    if (options.force !== true) for (const path of paths) await refuseExisting(path);
    for (const [index, { digest }] of files.entries()) {
      const path = paths[index] ?? target;
      await save(path, await client.readArtifact(digest), options.force === true);
      saved.push(path);
      if (options.json !== true) line(terminal, path);
    }
    if (options.json === true) json(terminal, { saved });
    else if (saved.length === 0) line(terminal, "This run has no files.");
    return 0;
  });
}

async function readFiles(
  client: Client,
  id: string,
  { all }: ListOptions,
): Promise<{ readonly runId: string; readonly files: readonly NamedFile[] }> {
  const { id: runId } = await findRun(client, id);
  const { artifacts } = await client.call("GET /api/runs/:id/artifacts", { params: { id: runId } });
  const nameOf = createEntryNames();
  return {
    runId,
    files: artifacts
      .filter((artifact) => all === true || isFileForPeople(artifact))
      .map((artifact) => ({ ...artifact, file: nameOf(artifact.name) })),
  };
}

async function refuseExisting(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found) throw existing(path);
}

function existing(path: string, cause?: unknown): BronError {
  return new BronError("invalid_input", `${path} already exists.`, {
    cause,
    details: { hint: "Choose another folder, or replace it with --force." },
  });
}

async function save(path: string, bytes: Uint8Array, isForced: boolean): Promise<void> {
  try {
    // "wx" also refuses a link, which could lead out of the folder.
    await writeFile(path, bytes, { flag: isForced ? "w" : "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw fileError(error, path);
    throw existing(path, error);
  }
}
