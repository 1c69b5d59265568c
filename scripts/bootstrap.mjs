// Behind every npm script: installs what is missing, finds a Node that runs TypeScript, and runs the command with it.
// Plain JavaScript without dependencies, since it starts on whatever Node the machine has.
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { installWhatIsMissing, packagedNode } from "./install.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const oxfmt = join(root, "node_modules", "oxfmt", "bin", "oxfmt");
const cli = join(root, "apps", "cli", "src", "main.ts");
const check = join(root, "scripts", "check.mjs");
const buildWeb = { args: [join(root, "scripts", "build-web.mjs")] };

/** Each command is a list of Node programs; the first that fails ends it. */
const commands = {
  start: (args) => [buildWeb, { args: [cli, "start", ...args] }],
  dev: () => [{ args: [join(root, "scripts", "dev.ts")], cwd: root }],
  bron: (args) => [{ args: [cli, ...args] }],
  check: (args) => [{ args: [check, ...args], cwd: root }],
  format: (args) => [{ args: [oxfmt, ...args], cwd: root }],
  // With arguments (file filters, vitest's flags) somebody is at work on one thing: only those tests.
  test: (args) => [
    ...(args.length > 0 ? [] : [{ args: [check], cwd: root }]),
    buildWeb,
    { args: [vitest, "run", ...args], cwd: root },
  ],
  // Every case in every setting, and one table at the end.
  attacks: (args) => {
    const table = join(mkdtempSync(join(tmpdir(), "bron-attacks-")), "table.jsonl");
    return [
      {
        args: [vitest, "run", ...(args.length > 0 ? args : ["test/attacks"])],
        cwd: root,
        env: { BRON_ATTACKS: "full", BRON_ATTACKS_TABLE: table },
      },
      { args: [join(root, "scripts", "print-attacks.mjs"), table], cwd: root },
    ];
  },
  // The page is measured too.
  bench: (args) => [buildWeb, { args: [join(root, "bench", "run.ts"), ...args], cwd: root }],
  screenshots: (args) => [
    buildWeb,
    {
      args: [join(root, "scripts", "screenshots.ts"), ...args.map((folder) => resolve(folder))],
      cwd: root,
    },
  ],
  crash: (args) => [
    buildWeb,
    {
      args: [vitest, "run", "--config", join(root, "test", "crash", "vitest.config.ts"), ...args],
      cwd: root,
      env: { BRON_CRASH: "full" },
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
  for (const program of command(args)) {
    const code = await run(node, program);
    if (code !== 0) return code;
  }
  return 0;
}

/** The Node 24 that came with the packages, so that everybody runs the same one; else the one that runs this, if it can. */
function chooseNode() {
  const packaged = packagedNode(root);
  if (packaged) return { path: packaged, flags: [] };
  if (isAtLeast(process.versions.node, 22, 18)) {
    // Before 24.3 each program that Node strips of its types begins with a warning.
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

/** Runs one Node program on our terminal and resolves to its exit code; death by signal n is 128 + n. */
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

/** The child's children find the same Node as `node`. */
function environmentFor(node) {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  return { ...process.env, [key]: [dirname(node.path), process.env[key] ?? ""].join(delimiter) };
}

/** Passes signals on. A Ctrl-C at a terminal reaches the child by itself: passing it on would read as a second, impatient one. */
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

/** npm passes a SIGTERM to the shell between us, which dies of it and tells nobody: all that we see is another parent. */
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
