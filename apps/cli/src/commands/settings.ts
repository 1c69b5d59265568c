import { omitUndefined } from "@bron/protocol";
import { BronError } from "@bron/core";
import { asHomeFailure, ensureHome, replaceFile, withFileLock } from "@bron/files";
import {
  findSetting,
  homeSettingsPath,
  parseFile,
  parseSettingValue,
  readOwnFile,
  setSetting,
  settingsJsonSchema,
  type LoadedSettings,
} from "@bron/settings";
import { access, realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { ConfigReading, SettingSource } from "../config-reading.ts";
import type { ExitCode } from "../exit-code.ts";
import { ignoredNote } from "../render/ignored-note.ts";
import { table } from "../render/table.ts";
import { oneLine } from "../render/visible.ts";
import { json, line, note, type Terminal } from "../terminal.ts";

interface Json {
  readonly json?: boolean;
}

/** Works with wrong settings too, and reports them after the list. */
export async function showSettings(
  terminal: Terminal,
  { effective, problems, settings }: ConfigReading,
  options: Json,
): Promise<ExitCode> {
  if (options.json === true)
    json(terminal, {
      settings: effective,
      problems: problems.map(({ message }) => message),
      ...omitUndefined({ ignored: settings.ignored }),
    });
  else {
    const rows = effective.map(({ key, value, source }) => [
      key,
      value === null ? "(not set)" : oneLine(String(value)),
      wordsOf(source),
    ]);
    for (const text of table(["SETTING", "VALUE", "FROM"], rows, terminal.columns))
      line(terminal, text);
    if (settings.ignored) note(terminal, ignoredNote(settings.ignored));
    for (const { message } of problems) note(terminal, message);
  }
  return problems.length === 0 ? 0 : 2;
}

function wordsOf(source: SettingSource): string {
  if (source.kind === "default") return "default";
  return source.kind === "environment" ? source.variable : oneLine(source.at, 300);
}

export async function getSetting(
  terminal: Terminal,
  { effective, problems }: ConfigReading,
  { key, json: asJson }: Json & { readonly key: string },
): Promise<ExitCode> {
  const found = effective.find((setting) => setting.key === findSetting(key).key);
  if (asJson === true) json(terminal, found);
  else line(terminal, found?.value === null ? "" : oneLine(String(found?.value)));
  for (const { message } of problems) note(terminal, message);
  return 0;
}

/** Changes only the file of the home. Throws config_invalid if that file is not valid. */
export async function changeSetting(
  terminal: Terminal,
  { config, effective }: ConfigReading,
  options: Json & { readonly key: string; readonly value: string },
): Promise<ExitCode> {
  const setting = findSetting(options.key);
  const value = parseSettingValue(setting, options.value);
  const file = homeSettingsPath(config.home);
  try {
    await ensureHome(config.home);
    await withFileLock(file, () => writeSetting(file, setting.key, value));
  } catch (error) {
    throw asHomeFailure(error, file);
  }
  const { source } = effective.find(({ key }) => key === setting.key) ?? {};
  const winner = source?.kind === "environment" || source?.kind === "folder" ? source : undefined;
  if (options.json === true)
    json(terminal, { key: setting.key, value, file, ...omitUndefined({ overriddenBy: winner }) });
  else {
    line(terminal, `Set ${setting.key} to ${oneLine(String(value))} in ${file}.`);
    if (winner) note(terminal, `${wordsOf(winner)} sets it too and wins here.`);
  }
  return 0;
}

async function writeSetting(
  file: string,
  key: string,
  value: boolean | number | string,
): Promise<void> {
  const { problems } = await parseFile(file, "home");
  if (problems.length > 0)
    throw new BronError("config_invalid", problems.map(({ message }) => message).join("\n"), {
      details: { hint: "Fix the file first. Nothing was changed." },
    });
  const read = await readOwnFile(file);
  const text = read.kind === "read" ? new TextDecoder().decode(read.bytes) : "";
  // The owner may keep the file elsewhere and link to it.
  const target = await realpath(file).catch(() => file);
  await replaceFile(target, setSetting(text, key, value));
}

/** Without a file, checks the one in BRON_HOME and that of the trusted folder. */
export async function checkSettings(
  terminal: Terminal,
  reading: ConfigReading,
  options: Json & { readonly file?: string },
): Promise<ExitCode> {
  const home = homeSettingsPath(reading.config.home);
  const file = options.file === undefined ? home : resolve(reading.folder, options.file);
  const { problems } = options.file === undefined ? reading.settings : await checkFile(file, home);
  if (options.json === true) json(terminal, { file, ok: problems.length === 0, problems });
  else if (problems.length === 0) line(terminal, `${file} is valid.`);
  else for (const { message } of problems) line(terminal, message);
  const { ignored } = reading.settings;
  if (options.file === undefined && ignored) note(terminal, ignoredNote(ignored));
  return problems.length === 0 ? 0 : 2;
}

async function checkFile(file: string, home: string): Promise<Pick<LoadedSettings, "problems">> {
  await access(file).catch(() => {
    throw new BronError("not_found", `${file} does not exist.`, {
      details: { hint: "Check the path." },
    });
  });
  const isOfFolder = /[\\/]\.bron[\\/][^\\/]*$/.test(file) && file !== home;
  return await parseFile(file, isOfFolder ? "folder" : "home");
}

export async function printSchema(terminal: Terminal): Promise<ExitCode> {
  terminal.out(`${JSON.stringify(settingsJsonSchema(), null, 2)}\n`);
  return 0;
}
