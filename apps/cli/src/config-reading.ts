import { BronError } from "@bron/core";
import {
  folderSettingsPath,
  homeSettingsPath,
  isSecretValue,
  loadSettings,
  settingsTable,
  type LoadedSettings,
} from "@bron/settings";
import { join } from "node:path";
import { isSet, readConfig, type Config, type Environment } from "./config.ts";
import { homePath } from "./home-path.ts";
import type { ConfigProblem } from "./variable-pairs.ts";

/** Where the value of a setting comes from. */
export type SettingSource =
  | { readonly kind: "environment"; readonly variable: string }
  | { readonly kind: "folder" | "home"; readonly at: string }
  | { readonly kind: "default" };

interface EffectiveSetting {
  readonly key: string;
  /** Null if it is not set and has no default. */
  readonly value: boolean | number | string | null;
  readonly source: SettingSource;
}

export interface ConfigReading {
  readonly config: Config;
  readonly problems: readonly ConfigProblem[];
  /** The folder that the command runs in. */
  readonly folder: string;
  readonly settings: LoadedSettings;
  readonly effective: readonly EffectiveSetting[];
  /** One variable of the environment, whatever its name. */
  readonly readVariable: (name: string) => string | undefined;
}

/**
 * Reads the environment, then the settings of a trusted folder, then those of the home. Never
 * throws: problems are part of the result.
 */
export async function readConfigWithSettings(
  env: Environment,
  folder: string,
): Promise<ConfigReading> {
  const home = homePath(isSet(env["BRON_HOME"]) ? env["BRON_HOME"].trim() : undefined);
  const { settings, problems } = await loadOrReport(home, folder);
  const chosen = [...settings.values.values()].filter(({ variable }) => !isSet(env[variable]));
  const fromFiles = Object.fromEntries(
    chosen.map(({ variable, value }) => [variable, String(value)]),
  );
  const reading = readConfig({ ...env, ...fromFiles });
  return {
    config: reading.config,
    problems: [
      ...problems,
      ...reading.problems.map((problem) => {
        const origin = chosen.find(({ variable }) => variable === problem.variable);
        if (!origin) return problem;
        const { file, line, column, key } = origin;
        return {
          variable: file,
          message: `${file}:${line}:${column}: ${key} (${problem.variable}): ${problem.message}`,
        };
      }),
    ],
    folder,
    settings,
    readVariable: (name) => env[name],
    effective: settingsTable.map((setting) => effectiveOf(setting, env, settings, home)),
  };
}

async function loadOrReport(
  home: string,
  folder: string,
): Promise<{ settings: LoadedSettings; problems: ConfigProblem[] }> {
  try {
    const settings = await loadSettings(home, folder);
    return {
      settings,
      problems: settings.problems.map(({ file, message }) => ({ variable: file, message })),
    };
  } catch (error) {
    if (!BronError.is(error)) throw error;
    return {
      settings: { values: new Map(), problems: [] },
      problems: [
        {
          variable: join(folder, folderSettingsPath),
          message: `${error.message} ${hintOf(error)}`,
        },
      ],
    };
  }
}

function hintOf({ details }: BronError): string {
  const hint = details?.["hint"];
  return typeof hint === "string" ? hint : "";
}

function effectiveOf(
  { key, variable, default: initial }: (typeof settingsTable)[number],
  env: Environment,
  { values }: LoadedSettings,
  home: string,
): EffectiveSetting {
  const fromEnvironment = env[variable];
  if (isSet(fromEnvironment)) {
    const value = isSecretValue(fromEnvironment.trim()) ? "(hidden)" : fromEnvironment.trim();
    return { key, value, source: { kind: "environment", variable } };
  }
  const found = values.get(key);
  if (!found) return { key, value: initial ?? null, source: { kind: "default" } };
  const kind = found.file === homeSettingsPath(home) ? "home" : "folder";
  return {
    key,
    value: found.value,
    source: { kind, at: `${found.file}:${found.line}:${found.column}` },
  };
}
