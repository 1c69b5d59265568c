import {
  checkAudit,
  checkConfig,
  checkDatabase,
  checkHome,
  checkNode,
  checkIsolation,
  checkGoogle,
  checkSlack,
  checkPlaces,
  checkPort,
  checkPostgresPrograms,
  checkSecretKey,
  type Check,
} from "../doctor/checks.ts";
import { checkFolderSettings } from "../doctor/check-folder-settings.ts";
import { checkMcp } from "../doctor/check-mcp.ts";
import { checkLocalModels, checkModels, isDemoMode } from "../doctor/check-models.ts";
import { asCalled } from "../called-as.ts";
import type { ConfigReading } from "../config-reading.ts";
import type { ExitCode } from "../exit-code.ts";
import { ownerId } from "../owner.ts";
import { indent } from "../render/visible.ts";
import { json, line, paint, type Style, type Terminal } from "../terminal.ts";

const styles: Readonly<Record<Check["level"], Style>> = {
  ok: "green",
  warn: "yellow",
  problem: "red",
};

/** Labels for people, where they differ from the name in the JSON output. */
const labels: Readonly<Record<string, string>> = {
  Variables: "Environment",
  Programs: "Postgres",
  Audit: "Audit log",
};
const labelOf = ({ name }: Check) => labels[name] ?? name;

/** Checks everything that Bron needs. Changes nothing. */
export async function examine(
  terminal: Terminal,
  reading: ConfigReading,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const { config, problems, settings } = reading;
  const mode = { isDemo: isDemoMode(config) };
  const checks = [
    checkNode(process.versions.node),
    ...checkConfig(problems),
    ...checkFolderSettings(settings.ignored),
    ...(config.databaseUrl === undefined ? [await checkPostgresPrograms()] : []),
    await checkHome(config.home),
    await checkDatabase(config),
    await checkAudit(config),
    await checkPlaces(config, ownerId),
    await checkSecretKey(config),
    ...checkModels(config),
    await checkLocalModels(config),
    checkGoogle(config, mode),
    checkSlack(config, mode),
    ...(await checkMcp(reading)),
    await checkIsolation(),
    await checkPort(config),
  ];
  const isHealthy = checks.every(({ level }) => level !== "problem");
  if (options.json === true) json(terminal, { ok: isHealthy, checks });
  else {
    const width = Math.max(...checks.map((check) => labelOf(check).length));
    for (const check of checks) {
      const { level, text, next } = check;
      line(
        terminal,
        `${paint(terminal, styles[level], level.padEnd(7))}  ${labelOf(check).padEnd(width)}  ${indent(text, width + 11)}`,
      );
      if (next !== undefined)
        line(
          terminal,
          `${" ".repeat(width + 11)}hint: ${indent(asCalled(terminal, next), width + 17)}`,
        );
    }
  }
  return isHealthy ? 0 : 1;
}
