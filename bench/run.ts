// node bench/run.ts [name...] [--json] [--quick] [--profile <folder>]
import { execFileSync } from "node:child_process";
import { cpus, release, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { openEnvironment, type Environment } from "./support/environment.ts";
import {
  brokenBars,
  holds,
  type Bar,
  type BenchmarkResult,
  type Figure,
} from "./support/figures.ts";
import { approval } from "./approval.ts";
import { creation } from "./creation.ts";
import { growth } from "./growth.ts";
import { http } from "./http.ts";
import { many } from "./many.ts";
import { page } from "./page.ts";
import { policy } from "./policy.ts";
import { start } from "./start.ts";
import { steps } from "./steps.ts";
import { mail } from "./mail.ts";
import { streams } from "./streams.ts";
import { takeover } from "./takeover.ts";

const benchmarks: Readonly<Record<string, (environment: Environment) => Promise<BenchmarkResult>>> =
  { steps, many, approval, creation, takeover, start, streams, mail, policy, http, page, growth };

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    profile: { type: "string" },
  },
});
const unknown = positionals.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.error(
    `Unknown benchmark: ${unknown.join(", ")}. Available: ${Object.keys(benchmarks).join(", ")}.`,
  );
  process.exit(2);
}
const chosen = Object.entries(benchmarks).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
);

const environment = await openEnvironment({ quick: options.quick, profiles: options.profile });
// However this process ends, its Postgres ends with it.
for (const event of ["SIGINT", "SIGTERM", "uncaughtException"] as const) {
  process.once(event, (reason: unknown) => {
    console.error(reason);
    void environment.close().finally(() => process.exit(1));
  });
}
const results: Record<string, BenchmarkResult> = {};
try {
  const { rows } = await environment.admin.query<{ settings: string }>(
    "select string_agg(name || ' ' || setting, ', ' order by name) as settings from pg_settings where name in ('server_version', 'fsync', 'synchronous_commit', 'full_page_writes', 'wal_compression', 'shared_buffers')",
  );
  const machine = {
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? "unknown",
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: `${process.platform} ${release()}`,
    node: process.version,
    postgres: rows[0]?.settings ?? "",
  };
  if (!options.json) console.log(`${new Date().toISOString()} ${JSON.stringify(machine)}`);
  for (const [name, benchmark] of chosen) {
    const result = await benchmark(environment);
    results[name] = result;
    if (!options.json) print(name, result);
  }
  if (options.json)
    console.log(
      JSON.stringify(
        { at: new Date().toISOString(), commit: commit(), quick: options.quick, machine, results },
        undefined,
        2,
      ),
    );
} finally {
  await environment.close();
}
const broken = brokenBars(results);
for (const figure of broken)
  console.error(`Does not hold: ${figure.name} ${format(figure).trim()}`);
process.exitCode = broken.length > 0 ? 1 : 0;

function print(name: string, { figures, notes = [] }: BenchmarkResult): void {
  console.log(`\n${name}`);
  for (const figure of figures) console.log(`  ${figure.name.padEnd(64)} ${format(figure)}`);
  for (const note of notes) console.log(`  - ${note}`);
}

function format(figure: Figure): string {
  const { value, unit, bar, aim } = figure;
  const number = `${value.toFixed(unit === "bytes" ? 0 : 2).padStart(9)} ${unit}`;
  const limits = [
    ...(bar ? [`bar ${formatBar(value, bar)}`] : []),
    ...(aim ? [`aim ${formatBar(value, aim)}`] : []),
  ];
  return limits.length === 0 ? number : `${number.padEnd(22)} ${limits.join(", ")}`;
}

function formatBar(value: number, bar: Bar): string {
  return `${"atMost" in bar ? `<= ${bar.atMost}` : `>= ${bar.atLeast}`}: ${holds(value, bar) ? "holds" : "DOES NOT HOLD"}`;
}

function commit(): string {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "unknown";
  }
}
