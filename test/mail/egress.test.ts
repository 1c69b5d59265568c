import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, chmod } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compileCache } from "../support/compile-cache.ts";

const cli = fileURLToPath(new URL("../../apps/cli/bin/bron.mjs", import.meta.url));
const isInside = ({ kind, where }: Contact) =>
  ["127.0.0.1", "::1", "localhost"].includes(where) ||
  (kind === "connect" && where.startsWith("/"));

interface Contact {
  readonly kind: "connect" | "lookup";
  readonly where: string;
}

describe("network contacts of the demo", () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "bron-egress-"));
    await chmod(home, 0o711);
  });
  afterEach(async () => await rm(home, { recursive: true, force: true }));

  /**
   * Runs a Node program with the egress guard, and with an environment that cannot point it
   * elsewhere.
   */
  async function guarded(
    ...args: string[]
  ): Promise<{ code: number; out: string; contacts: Contact[] }> {
    const log = join(home, "contacts.jsonl");
    const guard = new URL("support/guard-egress.mjs", import.meta.url);
    guard.searchParams.set("log", log);
    const child = spawn(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", "--import", guard.href, ...args],
      {
        env: {
          PATH: process.env["PATH"],
          HOME: home,
          BRON_HOME: join(home, "home"),
          ...compileCache,
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const [out, failures, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "exit") as Promise<[number]>,
    ]);
    const lines = (await readFile(log, "utf8").catch(() => "")).split("\n").filter(Boolean);
    return {
      code,
      out: `${out}${failures}`,
      contacts: lines.map((one) => JSON.parse(one) as Contact),
    };
  }

  it("X8 are on this machine only, from the task to the sent mail", async () => {
    const { code, out, contacts } = await guarded(cli, "demo", "--yes");
    expect(code, out).toBe(0);
    expect(out).toContain("Sent an email");
    expect(contacts.filter((contact) => !isInside(contact))).toEqual([]);
    // The guard was active: the simulator, the model and the database were all reached.
    expect(contacts.filter(({ where }) => where === "127.0.0.1").length).toBeGreaterThan(0);
    expect(contacts.filter(({ where }) => where.startsWith("/")).length).toBeGreaterThan(0);
  }, 90_000);

  it.each([
    [
      "fetch",
      "await fetch('http://192.0.2.1/', { signal: AbortSignal.timeout(200) })",
      "192.0.2.1",
    ],
    [
      "http",
      "(await import('node:http')).get({ host: '192.0.2.1', timeout: 100 }).on('error', () => process.exit())",
      "192.0.2.1",
    ],
    [
      "tls",
      "(await import('node:tls')).connect(443, '192.0.2.1').on('error', () => process.exit())",
      "192.0.2.1",
    ],
    [
      "net",
      "(await import('node:net')).connect(25, 'mail.invalid').on('error', () => process.exit())",
      "mail.invalid",
    ],
    ["dns", "await (await import('node:dns/promises')).lookup('mail.invalid')", "mail.invalid"],
  ])("X8 would be recorded if they went elsewhere: by %s", async (_name, program, where) => {
    const { contacts } = await guarded(
      "--input-type=module",
      "--eval",
      `setTimeout(() => process.exit(), 300); try { ${program} } catch {}`,
    );
    expect(
      contacts.filter((contact) => !isInside(contact)).map((contact) => contact.where),
    ).toContain(where);
  });
});
