// Makes node_modules match package-lock.json. Uses the network only if packages are missing.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { takeLock } from "./lock.mjs";

/** An error whose message is printed without a stack. */
function failure(message) {
  return Object.assign(new Error(message), { expected: true });
}

/** Reads only two files and returns when the stamp of the last install matches the lockfile. */
export async function installWhatIsMissing(root) {
  const wanted = wantedStamp(root);
  if (readStamp(root)?.lock === wanted) return;
  if (matchesLockfile(root)) {
    writeStamp(root, wanted);
    return;
  }
  // The lock is outside of node_modules, because `npm ci` empties that folder.
  const folder = join(root, ".bron");
  mkdirSync(folder, { recursive: true });
  const release = await takeLock(join(folder, "install.lock"), (pid) => {
    console.error(`Waiting for the install that process ${pid} runs in this folder...`);
  });
  try {
    if (readStamp(root)?.lock === wanted) return;
    await runNpmCi(root, join(folder, "install.log"));
    writeStamp(root, wanted);
  } finally {
    release();
  }
}

/**
 * The Node that came as an npm package, unless the install found that it cannot run here (for
 * example because of another libc).
 */
export function packagedNode(root) {
  const path = packagedNodePath(root);
  return readStamp(root)?.packagedNodeRuns !== false && existsSync(path) ? path : undefined;
}

function packagedNodePath(root) {
  const system = process.platform === "win32" ? "win" : process.platform;
  const file = process.platform === "win32" ? "node.exe" : "node";
  return join(root, "node_modules", `node-${system}-${process.arch}`, "bin", file);
}

function wantedStamp(root) {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .update(`${process.platform} ${process.arch}`)
    .digest("hex");
}

function stampPath(root) {
  return join(root, "node_modules", ".bron-installed");
}

function readStamp(root) {
  return readJson(stampPath(root));
}

function writeStamp(root, lock) {
  const packaged = packagedNodePath(root);
  const packagedNodeRuns = existsSync(packaged) && spawnSync(packaged, ["--version"]).status === 0;
  // npm scripts search node_modules/.bin first, so a Node there that cannot run would break all of
  // them.
  if (!packagedNodeRuns) rmSync(join(root, "node_modules", ".bin", "node"), { force: true });
  try {
    writeFileSync(stampPath(root), `${JSON.stringify({ lock, packagedNodeRuns })}\n`);
  } catch {
    // The checkout is read-only. The next command will compare the packages again.
  }
}

/**
 * Whether `npm install` or `npm ci` was already run by hand, according to the record that npm keeps
 * in node_modules.
 */
function matchesLockfile(root) {
  const installed = readJson(join(root, "node_modules", ".package-lock.json"))?.packages;
  const locked = readJson(join(root, "package-lock.json"))?.packages;
  if (!installed || !locked) return false;
  return Object.entries(locked).every(([path, entry]) => {
    if (!path.startsWith("node_modules/") || !isNeededHere(entry)) return true;
    const found = installed[path];
    return (
      found !== undefined &&
      found.version === entry.version &&
      found.integrity === entry.integrity &&
      found.link === entry.link
    );
  });
}

/**
 * Whether a package must be installed on this platform. Optional packages for other platforms, and
 * their dependencies, are not.
 */
function isNeededHere(entry) {
  if (!entry.optional) return true;
  return (
    allows(entry.os, process.platform) &&
    allows(entry.cpu, process.arch) &&
    entry.libc === undefined
  );
}

function allows(list, value) {
  const values = [list ?? []].flat();
  if (values.length === 0) return false;
  return (
    values.includes(value) ||
    (values.every((one) => one.startsWith("!")) && !values.includes(`!${value}`))
  );
}

async function runNpmCi(root, logPath) {
  console.error("Installing packages, once (about half a minute)...");
  const startedAt = Date.now();
  const log = openSync(logPath, "w");
  const { command, args, shell } = npm(root);
  // Without these two flags, NODE_ENV=production would omit the tools, and omit=optional would omit
  // Postgres and Node.
  const child = spawn(
    command,
    [...args, "ci", "--include=dev", "--include=optional", "--loglevel=warn"],
    {
      cwd: root,
      stdio: ["ignore", log, log],
      shell,
    },
  );
  closeSync(log);
  const end = await new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) =>
      resolve(code === 0 ? undefined : `exit code ${code ?? signal}`),
    );
  });
  if (end !== undefined) {
    const tail = readFileSync(logPath, "utf8").trimEnd().split("\n").slice(-30).join("\n");
    throw failure(`Installing packages failed (npm ci: ${end}). The end of ${logPath}:\n${tail}`);
  }
  console.error(`Installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
}

/**
 * Finds the npm that started us. It runs on a Node outside of node_modules, because `npm ci`
 * empties that folder.
 */
function npm(root) {
  const { npm_execpath: script, npm_node_execpath: starter } = process.env;
  if (script && basename(script).startsWith("npm") && existsSync(script)) {
    const isOurs = relative(root, process.execPath).startsWith(`node_modules${sep}`);
    return {
      command: isOurs && starter && existsSync(starter) ? starter : process.execPath,
      args: [script],
      shell: false,
    };
  }
  return { command: "npm", args: [], shell: process.platform === "win32" };
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
