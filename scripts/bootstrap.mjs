// Every npm script calls this file. It installs missing packages, finds a Node that can run
// TypeScript, and runs the command with it. It is plain JavaScript without dependencies, because it
// must start on any Node that the machine has.
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { availableParallelism, constants, tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { installWhatIsMissing, packagedNode } from "./install.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const oxfmt = join(root, "node_modules", "oxfmt", "bin", "oxfmt");
const cli = join(root, "apps", "cli", "bin", "bron.mjs");
const check = join(root, "scripts", "check.mjs");
const build = { args: [join(root, "scripts", "build.mjs")] };
const crashWorker = join("node_modules", ".cache", "crash-worker");
const buildCrashWorker = { args: [join(root, "scripts", "build-crash-worker.mjs"), crashWorker] };
const useCrashWorker = { BRON_CRASH_WORKER: join(root, crashWorker, "worker-process.js") };

const unitProjects = ["--project", "unit", "--project", "web"];
/** Unit tests do not wait, so that a process without a core of its own only loads the sources. */
const unitWorkers = Math.min(3, availableParallelism());

/** The suites whose words a real model can read. */
const recordedSuites = ["test/attacks/policy-cases.test.ts", "test/attacks/ordinary-tasks.test.ts"];

/**
 * Each command is a list of Node programs that run in order. The first one that fails ends it. A
 * program can have another one beside it, whose output is shown at the end if it fails.
 */
const commands = {
  start: (args) => [build, { args: [cli, "start", ...args] }],
  dev: () => [{ args: [join(root, "scripts", "dev.ts")], cwd: root }],
  bron: (args) => [{ args: [cli, ...args] }],
  check: (args) => [{ args: [check, ...args], cwd: root }],
  format: (args) => [{ args: [oxfmt, ...args], cwd: root }],
  "test:unit": (args) => [
    { args: [vitest, "run", ...unitProjects, `--maxWorkers=${unitWorkers}`, ...args], cwd: root },
  ],
  // Arguments (file filters or flags for vitest) select a few tests, so the checks are skipped.
  test: (args) =>
    args.length > 0
      ? [build, { args: [vitest, "run", ...args], cwd: root }]
      : [
          build,
          buildCrashWorker,
          {
            args: [vitest, "run"],
            cwd: root,
            env: { ...useCrashWorker, BRON_TESTS: "all" },
            beside: { args: [check, "--without-tests"], cwd: root },
          },
        ],
  // Runs every case in every setting and prints one table at the end. With --recorded, the owner's
  // words are read as a model read them. "readings" asks the model.
  attacks: ([first, ...others]) => {
    if (first === "readings")
      return [
        { args: [join(root, "test", "attacks", "read-with-model.ts"), ...others], cwd: root },
      ];
    const given = [first, ...others].filter((one) => one !== undefined);
    const args = given.filter((one) => one !== "--recorded");
    const readings = args.length < given.length ? { BRON_READINGS: "recorded" } : {};
    const suites =
      args.length === 0 && "BRON_READINGS" in readings ? recordedSuites : ["test/attacks"];
    const table = join(mkdtempSync(join(tmpdir(), "bron-attacks-")), "table.jsonl");
    return [
      build,
      {
        args: [vitest, "run", ...(args.length > 0 ? args : suites)],
        cwd: root,
        env: { BRON_ATTACKS: "full", BRON_ATTACKS_TABLE: table, ...readings },
      },
      { args: [join(root, "scripts", "print-attacks.mjs"), table], cwd: root },
    ];
  },
  bench: (args) => [build, { args: [join(root, "bench", "run.ts"), ...args], cwd: root }],
  screenshots: (args) => [
    build,
    {
      args: [join(root, "scripts", "screenshots.ts"), ...args.map((folder) => resolve(folder))],
      cwd: root,
    },
  ],
  crash: (args) => [
    build,
    buildCrashWorker,
    {
      args: [vitest, "run", "--config", join(root, "test", "crash", "vitest.config.ts"), ...args],
      cwd: root,
      env: { BRON_CRASH: "full", ...useCrashWorker },
    },
  ],
};

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    console.error(error.expected ? error.message : error);
    process.exitCode = 1;
  },
);

async function main() {
  const [name, ...args] = process.argv.slice(2);
  if (!isAtLeast(process.versions.node, 20)) {
    console.error(
      `Bron needs Node 20 or newer to begin with, and this is ${process.version}. Get Node 24 from https://nodejs.org.`,
    );
    return 1;
  }
  const command = Object.hasOwn(commands, name ?? "") ? commands[name] : undefined;
  if (!command) {
    console.error(
      `Unknown command ${name ?? "(none)"}. Commands: ${Object.keys(commands).join(", ")}.`,
    );
    return 2;
  }
  await installWhatIsMissing(root);
  const node = chooseNode();
  if (!node) return 1;
  for (const { beside, ...program } of command(args)) {
    const other = beside ? runQuietly(node, beside) : Promise.resolve({ code: 0, output: "" });
    const code = await run(node, program);
    const { code: otherCode, output } = await other;
    if (otherCode !== 0) process.stdout.write(output);
    if (code !== 0 || otherCode !== 0) return code === 0 ? otherCode : code;
  }
  return 0;
}

/**
 * Prefers the Node 24 from the packages, so that all machines run the same version. Falls back to
 * the Node that runs this script if it is new enough.
 */
function chooseNode() {
  const packaged = packagedNode(root);
  if (packaged) return { path: packaged, flags: [] };
  if (isAtLeast(process.versions.node, 22, 18)) {
    // Before 24.3, Node prints a warning whenever it strips types from a program.
    const flags = isAtLeast(process.versions.node, 24, 3)
      ? []
      : ["--disable-warning=ExperimentalWarning"];
    return { path: process.execPath, flags };
  }
  console.error(
    `Bron needs Node 22.18 or newer, and this is ${process.version}. There is no packaged Node that runs on ` +
      `${process.platform}-${process.arch}: get Node 24 from https://nodejs.org.`,
  );
  return undefined;
}

/**
 * Runs one Node program in this terminal and resolves to its exit code, which is 128 + n after
 * signal n.
 */
function run(node, { args, cwd, env = {} }) {
  return new Promise((resolve, reject) => {
    const child = spawn(node.path, [...node.flags, ...args], {
      stdio: "inherit",
      cwd,
      env: { ...environmentFor(node), ...env },
    });
    const stopForwarding = forwardSignals(child);
    child.once("error", (error) => {
      stopForwarding();
      reject(error);
    });
    child.once("exit", (code, signal) => {
      stopForwarding();
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/**
 * Runs one Node program and resolves to its exit code and its output, which is printed at once if
 * the program succeeds.
 */
function runQuietly(node, { args, cwd }) {
  return new Promise((resolve, reject) => {
    const child = spawn(node.path, [...node.flags, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      cwd,
      env: environmentFor(node),
    });
    const stopForwarding = forwardSignals(child);
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    child.once("error", (error) => {
      stopForwarding();
      reject(error);
    });
    child.once("close", (code) => {
      stopForwarding();
      const output = Buffer.concat(chunks).toString();
      if (code === 0) process.stdout.write(output);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Puts our Node first in PATH, so that programs started by the child find the same `node`. */
function environmentFor(node) {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  return { ...process.env, [key]: [dirname(node.path), process.env[key] ?? ""].join(delimiter) };
}

/**
 * Forwards signals. Ctrl-C in a terminal reaches the child without us. Forwarding it would look
 * like a second Ctrl-C, which forces an exit.
 */
function forwardSignals(child) {
  const listeners = ["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => {
    const listener = () => {
      if (signal === "SIGINT" && process.stdin.isTTY) return;
      child.kill(signal);
    };
    process.on(signal, listener);
    return { signal, listener };
  });
  const stopWatching = watchParent(() => child.kill("SIGTERM"));
  return () => {
    stopWatching();
    for (const { signal, listener } of listeners) process.off(signal, listener);
  };
}

/**
 * npm sends SIGTERM to the shell between npm and this process. The shell dies without forwarding
 * it, so the only sign is that our parent process changes.
 */
function watchParent(onGone) {
  if (process.env.npm_lifecycle_event === undefined) return () => undefined;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, 200);
  return () => clearInterval(timer);
}

function isAtLeast(version, major, minor = 0) {
  const [ownMajor = 0, ownMinor = 0] = version.split(".").map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}
