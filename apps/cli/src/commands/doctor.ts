import {
  checkAudit,
  checkConfig,
  checkDatabase,
  checkHome,
  checkModel,
  checkNode,
  checkIsolation,
  checkGoogle,
  checkSlack,
  checkPort,
  checkPostgresPrograms,
  checkSecretKey,
  type Check,
} from "../doctor/checks.ts";
import type { ConfigProblem } from "../config.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { indent } from "../render/visible.ts";
import { json, line, paint, type Style } from "../terminal.ts";

const styles: Readonly<Record<Check["level"], Style>> = {
  ok: "green",
  warn: "yellow",
  problem: "red",
};

/** Looks at everything that Bron needs and changes nothing. */
export async function examine(
  { terminal, config }: CommandContext,
  problems: readonly ConfigProblem[],
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const checks = [
    checkNode(process.versions.node),
    ...checkConfig(problems),
    ...(config.databaseUrl === undefined ? [await checkPostgresPrograms()] : []),
    await checkHome(config.home),
    await checkDatabase(config),
    await checkAudit(config),
    await checkSecretKey(config),
    checkModel(config),
    checkGoogle(config),
    checkSlack(config),
    await checkIsolation(),
    await checkPort(config),
  ];
  const isWell = checks.every(({ level }) => level !== "problem");
  if (options.json === true) json(terminal, { ok: isWell, checks });
  else {
    const width = Math.max(...checks.map(({ name }) => name.length));
    for (const { name, level, text, next } of checks) {
      line(
        terminal,
        `${paint(terminal, styles[level], level.padEnd(7))}  ${name.padEnd(width)}  ${indent(text, width + 11)}`,
      );
      if (next !== undefined)
        line(terminal, `${" ".repeat(width + 11)}Next: ${indent(next, width + 17)}`);
    }
  }
  return isWell ? 0 : 1;
}
