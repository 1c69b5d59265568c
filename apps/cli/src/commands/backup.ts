import { omitUndefined } from "@bron/protocol";
import { BronError } from "@bron/core";
import { restoreBackup, type RuntimeBackupLine } from "@bron/runtime";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, normalize, relative, sep } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { withRuntime } from "../compose.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { fileError } from "../file-error.ts";
import { codeOf } from "@bron/files";
import { json, line, note } from "../terminal.ts";

/** A file in the home that belongs to a tool. */
interface FileLine {
  readonly kind: "file";
  readonly path: string;
  readonly base64: string;
}

/** Folders that belong to tools. Everything else is in the database or is created again. */
const folders = ["notes", "boards"];

export async function backup(
  context: CommandContext,
  path: string,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const draft = `${path}.part`;
  const count = { rows: 0, files: 0 };
  await withRuntime(context, { work: "none" }, async ({ runtime }) => {
    const lines = async function* () {
      for await (const entry of runtime.backup()) {
        if (entry.kind === "row") count.rows++;
        yield `${JSON.stringify(entry)}\n`;
      }
      for await (const file of homeFiles(context.config.home)) {
        count.files++;
        yield `${JSON.stringify(file)}\n`;
      }
    };
    try {
      await pipeline(
        Readable.from(lines()),
        createGzip(),
        createWriteStream(draft, { mode: 0o600, flags: "w", flush: true }),
      );
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw backupError(error, path);
    }
  });
  if (options.json === true) json(context.terminal, { backup: path, ...count });
  else
    line(
      context.terminal,
      `Backed up ${count.rows} rows and ${count.files} files to ${path}. It contains secrets, so store it safely.`,
    );
  return 0;
}

export async function restore(
  context: CommandContext,
  path: string,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal, config } = context;
  const files: FileLine[] = [];
  const rows = await restoreBackup(
    {
      home: config.home,
      ...omitUndefined({ databaseUrl: config.databaseUrl, secretKey: config.secretKey }),
      onProgress: (message) => note(terminal, message),
    },
    readBackup(path, files),
  );
  for (const file of files) await writeHomeFile(config.home, file);
  if (options.json === true) json(terminal, { restored: path, rows, files: files.length });
  else
    line(
      terminal,
      `Restored ${rows} rows and ${files.length} files into ${config.databaseUrl === undefined ? config.home : "the database"}. Start it with: ${terminal.calledAs} start`,
    );
  return 0;
}

async function* readBackup(path: string, files: FileLine[]): AsyncGenerator<RuntimeBackupLine> {
  const source = createReadStream(path);
  const text = source.pipe(createGunzip());
  source.on("error", (error) => text.destroy(error));
  try {
    for await (const textLine of createInterface({
      input: text,
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      const parsed = JSON.parse(textLine) as RuntimeBackupLine | FileLine;
      if (parsed.kind === "file") files.push(parsed);
      else yield parsed;
    }
  } catch (error) {
    if (BronError.is(error)) throw error;
    throw backupError(error, path);
  }
}

async function* homeFiles(home: string): AsyncGenerator<FileLine> {
  for (const folder of folders) {
    const entries = await readdir(join(home, folder), {
      recursive: true,
      withFileTypes: true,
    }).catch(() => []);
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      yield {
        kind: "file",
        path: relative(home, path).split(sep).join("/"),
        base64: (await readFile(path)).toString("base64"),
      };
    }
  }
}

async function writeHomeFile(home: string, { path, base64 }: FileLine): Promise<void> {
  const clean = normalize(path);
  // A backup is untrusted data, so it may write only into the folders that `backup` reads.
  if (
    !folders.some((folder) => clean.startsWith(`${folder}${sep}`)) ||
    clean.split(sep).includes("..")
  )
    throw new BronError("invalid_input", `The backup contains a file outside the home: ${path}`);
  await mkdir(dirname(join(home, clean)), { recursive: true, mode: 0o700 });
  await writeFile(join(home, clean), Buffer.from(base64, "base64"), { mode: 0o600 });
}

function backupError(error: unknown, path: string): unknown {
  if (
    !BronError.is(error) &&
    (codeOf(error).startsWith("Z_") ||
      codeOf(error) === "ERR_INVALID_ARG_VALUE" ||
      error instanceof SyntaxError)
  )
    return new BronError("invalid_input", `${path} is not a complete Bron backup.`, {
      cause: error,
    });
  return fileError(error, path);
}
