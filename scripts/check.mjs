// Runs the checks of types, lint, format, vocabulary, dead code and architecture, two at a time.
// Prints one line for each, and for those that failed the output and what to do.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const atOnce = 2;

/**
 * The compiler and the linter are Go programs. With these settings they collect garbage less often
 * and wait less for each other, which halves their work for about 1.5 GB of memory.
 */
const goSettings = { GOGC: "800", GOMEMLIMIT: "2GiB", GOMAXPROCS: "1" };

/** The slowest ones come first, so that the two lanes end at about the same time. */
const checks = [
  {
    name: "architecture",
    program: ["vitest", "vitest.mjs"],
    args: ["run", "--project", "structure", "--reporter=dot"],
    advice: "Run one file again: npm test -- test/architecture.test.ts",
  },
  {
    name: "dead code",
    program: ["knip", "bin", "knip.js"],
    args: ["--no-progress", "--no-config-hints"],
    advice: "Remove the export or file, or use it.",
  },
  {
    name: "lint",
    program: ["oxlint", "bin", "oxlint"],
    args: ["--type-aware", "--threads=1"],
    advice: "Lint one file again: npx oxlint --type-aware <file>",
  },
  {
    name: "vocabulary",
    script: "scripts/vocabulary.ts",
    args: [],
    advice: "Use the word of docs/glossary.md, or add an exception to scripts/vocabulary-rules.ts.",
  },
  {
    name: "format",
    program: ["oxfmt", "bin", "oxfmt"],
    args: ["--check", "--threads=1"],
    advice: "Run npm run format.",
  },
  {
    name: "types",
    program: ["typescript", "bin", "tsc"],
    // Several checkers would each work out many of the same types.
    args: ["-p", ".", "--singleThreaded"],
    advice: "Check the types again: npx tsc -p . (one file cannot be checked alone)",
  },
];

// `npm test` runs the tests of the architecture with all the others.
const wanted = process.argv.includes("--without-tests")
  ? checks.filter(({ name }) => name !== "architecture")
  : checks;
const startedAt = performance.now();
const waiting = [...wanted];
let failed = 0;
await Promise.all(Array.from({ length: atOnce }, takeChecks));
console.log(`check ${failed === 0 ? "passed" : "failed"} in ${secondsSince(startedAt)}`);
if (failed > 0) {
  console.log(`${wanted.length - failed} passed, ${failed} failed`);
  process.exitCode = 1;
}

async function takeChecks() {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const checkStartedAt = performance.now();
    const { ok, output } = await run(check);
    console.log(
      `${ok ? "ok    " : "FAILED"}  ${check.name.padEnd(12)}  ${secondsSince(checkStartedAt)}`,
    );
    if (ok) continue;
    failed += 1;
    console.log(output.trimEnd().replace(/^/gm, "  "));
    console.log(`  ${check.advice}`);
  }
}

function run({ program, script, args }) {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [script === undefined ? join(root, "node_modules", ...program) : join(root, script), ...args],
      {
        cwd: root,
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, ...goSettings, NO_COLOR: "1", FORCE_COLOR: undefined },
      },
    );
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    child.once("error", (error) => resolve({ ok: false, output: String(error) }));
    child.once("close", (code) =>
      resolve({ ok: code === 0, output: Buffer.concat(chunks).toString() }),
    );
  });
}

function secondsSince(time) {
  return `${((performance.now() - time) / 1000).toFixed(1).padStart(5)} s`;
}
