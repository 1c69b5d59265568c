import { BronError } from "@bron/core";
import { spellOut } from "@bron/protocol";
import {
  compareTrust,
  listTrust,
  readFolder,
  readTrust,
  readTrustedFiles,
  revokeTrust,
  saveTrust,
} from "@bron/settings";
import { resolve } from "node:path";
import { asCalled } from "../called-as.ts";
import type { ConfigReading } from "../config-reading.ts";
import type { ExitCode } from "../exit-code.ts";
import { ago } from "../render/time.ts";
import { json, line, note, paint, type Terminal } from "../terminal.ts";

interface Options {
  readonly json?: boolean;
  readonly folder?: string;
}

type Comparison = ReturnType<typeof compareTrust>;

/**
 * Shows each file with its digest and what it could do, asks, and records exactly the digests that
 * were shown. Never trusts without a person at a terminal, and has no option to skip the question.
 */
export async function trustFolder(
  terminal: Terminal,
  reading: ConfigReading,
  options: Options,
): Promise<ExitCode> {
  const { home } = reading.config;
  const folder = resolve(reading.folder, options.folder ?? ".");
  const shown = await readFolder(folder, home).catch(() => {
    throw new BronError("not_found", `${spellOut(folder)} is not a folder that Bron can read.`);
  });
  const before = compareTrust(shown, await readTrust(home, shown.folder));
  const isTrusted = before.untrusted.length === 0 && before.missing.length === 0;
  for (const text of describe(terminal, shown, before)) note(terminal, text);
  if (isTrusted) {
    if (options.json === true) json(terminal, viewOf(before));
    else line(terminal, shown.files.length === 0 ? "Nothing to trust." : "Already trusted.");
    return shown.refused.length === 0 ? 0 : 1;
  }
  if (!(await isAccepted(terminal, shown.files.length))) {
    if (options.json === true) json(terminal, viewOf(before));
    else line(terminal, "Nothing was changed.");
    return 1;
  }
  await saveTrust(home, shown, terminal.now());
  const after = await readTrustedFiles(shown.folder, home);
  if (options.json === true) json(terminal, viewOf(after));
  else line(terminal, `Trusted ${count(shown.files.length)} in ${spellOut(shown.folder)}.`);
  for (const { path, change } of after.untrusted)
    note(terminal, `${spellOut(path)} was ${change} in the meantime and is not trusted.`);
  return after.untrusted.length === 0 ? 0 : 1;
}

async function isAccepted(terminal: Terminal, files: number): Promise<boolean> {
  if (!terminal.canAsk)
    throw new BronError("invalid_input", "Only a person at a terminal can trust a folder.", {
      details: { hint: "Run bron trust in a terminal, and read the files before you accept." },
    });
  const question = files === 0 ? "Stop trusting the missing files?" : `Trust ${count(files)}?`;
  const response = await terminal.ask(`${question} Type yes to accept: `);
  if (terminal.stop.aborted) throw new BronError("interrupted", "Nothing was changed.");
  return response.trim().toLowerCase() === "yes";
}

function describe(
  terminal: Terminal,
  { folder, files, refused }: Awaited<ReturnType<typeof readFolder>>,
  { untrusted, missing }: Comparison,
): string[] {
  const changes = new Map(untrusted.map(({ path, change }) => [path, change]));
  return [
    paint(terminal, "bold", spellOut(folder)),
    ...files.flatMap(({ path, digest, power }) => [
      `  ${spellOut(path)}  (${changes.get(path) ?? "trusted"})`,
      `    ${digest}`,
      `    This file ${power}.`,
    ]),
    ...missing.map((path) => `  ${spellOut(path)}  (no longer exists)`),
    ...refused.map(({ path, reason }) =>
      paint(terminal, "red", `  ${spellOut(path)}  (refused: ${reason})`),
    ),
  ];
}

/** Trusted folders, with the files that changed since. */
export async function listFolders(
  terminal: Terminal,
  { config: { home } }: ConfigReading,
  options: Options,
): Promise<ExitCode> {
  const folders = await Promise.all(
    (await listTrust(home)).map(async ({ folder, trustedAt, files }) => {
      const accepted = Object.keys(files);
      const gone = { folder, trusted: [], untrusted: [], refused: [], missing: accepted };
      return { trustedAt, ...viewOf(await readTrustedFiles(folder, home).catch(() => gone)) };
    }),
  );
  if (options.json === true) json(terminal, folders);
  else if (folders.length === 0)
    line(terminal, asCalled(terminal, "No folder is trusted. Review one with: bron trust"));
  else
    for (const { folder, trustedAt, ...view } of folders) {
      line(
        terminal,
        `${spellOut(folder)}  (${count(view.trusted.length)}, ${ago(trustedAt, terminal.now())})`,
      );
      for (const text of changesOf(view)) line(terminal, `  ${text}`);
    }
  return 0;
}

export async function revokeFolder(
  terminal: Terminal,
  reading: ConfigReading,
  options: Options,
): Promise<ExitCode> {
  const folder = resolve(reading.folder, options.folder ?? ".");
  const revoked = await revokeTrust(reading.config.home, folder);
  if (!revoked)
    throw new BronError("not_found", `${spellOut(folder)} is not trusted.`, {
      details: { hint: "List trusted folders with: bron trust list" },
    });
  if (options.json === true) json(terminal, { revoked: revoked.folder });
  else line(terminal, `No file in ${spellOut(revoked.folder)} is trusted any more.`);
  return 0;
}

/** Without the bytes. */
function viewOf({ folder, trusted, untrusted, refused, missing }: Comparison) {
  return {
    folder,
    trusted: trusted.map(({ path, digest, power }) => ({ path, digest, power })),
    untrusted,
    refused,
    missing,
  };
}

function changesOf({
  untrusted,
  refused,
  missing,
}: Pick<Comparison, "untrusted" | "refused" | "missing">): string[] {
  return [
    ...untrusted.map(({ path, change }) => `${spellOut(path)} was ${change} and is not trusted`),
    ...missing.map((path) => `${spellOut(path)} no longer exists`),
    ...refused.map(({ path, reason }) => `${spellOut(path)} is refused: ${reason}`),
  ];
}

function count(files: number): string {
  return files === 1 ? "1 file" : `${files} files`;
}
