import { omitUndefined } from "@bron/protocol";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { folderSettingsPath, readFolderFile } from "./folder-files.ts";
import {
  parseSettings,
  type ParsedSettings,
  type SettingsPlace,
  type SettingsProblem,
  type SettingValue,
} from "./parse-settings.ts";
import { asFailure, readRegularFile, type FileRead } from "./read-regular-file.ts";
import { readTrust } from "./trust-records.ts";
import { compareTrust } from "./trusted-files.ts";

export interface LoadedSettings {
  /** By key. The folder's value wins over that of the home. */
  readonly values: ReadonlyMap<string, SettingValue>;
  readonly problems: readonly SettingsProblem[];
  /** Why the settings file of the folder does not count, if there is one that does not. */
  readonly ignored?: { readonly file: string; readonly reason: string };
}

const maxSettingsBytes = 256 * 1024;

export const homeSettingsPath = (home: string) => join(home, "settings.json");

/**
 * Reads the settings of the home, and those of the folder if the owner trusted exactly this file.
 * An untrusted file is not parsed. Throws config_invalid if the trust record is damaged.
 */
export async function loadSettings(home: string, folder: string): Promise<LoadedSettings> {
  const ofHome = await parseFile(homeSettingsPath(home), "home");
  const ofFolder = await loadFolderSettings(home, folder);
  return {
    values: new Map([...ofHome.values, ...ofFolder.values].map((value) => [value.key, value])),
    problems: [...ofHome.problems, ...ofFolder.problems],
    ...omitUndefined({ ignored: ofFolder.ignored }),
  };
}

const none: ParsedSettings = { values: [], problems: [] };

async function loadFolderSettings(
  home: string,
  folder: string,
): Promise<ParsedSettings & Pick<LoadedSettings, "ignored">> {
  const snapshot = await readFolderFile(folder, home, folderSettingsPath).catch(() => undefined);
  if (!snapshot || (snapshot.files.length === 0 && snapshot.refused.length === 0)) return none;
  const file = join(snapshot.folder, folderSettingsPath);
  const [refused] = snapshot.refused;
  if (refused) return { ...none, ignored: { file, reason: refused.reason } };
  const { trusted, untrusted } = compareTrust(snapshot, await readTrust(home, snapshot.folder));
  const [own] = trusted;
  if (own) return parseSettings(own.bytes, { file, place: "folder" });
  const reason =
    untrusted[0]?.change === "changed" ? "it changed since you trusted it" : "it is not trusted";
  return { ...none, ignored: { file, reason } };
}

/** Parses a settings file of the owner, which may be a link. A missing file has no settings. */
export async function parseFile(file: string, place: SettingsPlace): Promise<ParsedSettings> {
  const read = await readOwnFile(file);
  if (read.kind === "missing") return none;
  if (read.kind === "read") return parseSettings(read.bytes, { file, place });
  const message = `${file}:1:1: The file was refused: ${read.reason}.`;
  return { values: [], problems: [{ file, path: "", line: 1, column: 1, message }] };
}

export async function readOwnFile(file: string): Promise<FileRead> {
  try {
    return await readRegularFile(await realpath(file), maxSettingsBytes);
  } catch (error) {
    return asFailure(error);
  }
}
