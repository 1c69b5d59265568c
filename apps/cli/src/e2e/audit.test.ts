import type { ActivityView, AuditView, EffectView, RunEvent } from "@bron/protocol";
import { openDatabase, openEmbeddedPostgres, type EmbeddedPostgres } from "@bron/store";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeTempFolder } from "@bron/testing";
import { runBron } from "./spawn-bron.fixture.ts";

const timeout = 120_000;
let folder: string;
let home: string;
let postgres: EmbeddedPostgres;

beforeAll(async () => {
  folder = await makeTempFolder();
  home = join(folder, "home");
  postgres = await openEmbeddedPostgres({ home });
}, 60_000);
afterAll(async () => {
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

const runtime = async (...args: string[]) => await runBron(args, { BRON_HOME: home });

async function jsonOf<T>(...args: string[]): Promise<T> {
  const { out, code, err } = await runtime(...args, "--json");
  expect({ code, err }).toMatchObject({ code: 0 });
  return JSON.parse(out) as T;
}

async function park(text: string): Promise<{ runId: string; approvalId: string; digest: string }> {
  const { out } = await runtime("run", `Post "${text}" to the team board`, "--json");
  const asked = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as RunEvent)
    .find(({ type }) => type === "approval");
  if (asked?.type !== "approval") throw new Error("It did not ask");
  return { runId: asked.runId, approvalId: asked.payload.approvalId, digest: asked.payload.digest };
}

describe("bron audit, stop and effects", () => {
  test("an empty home explains what will appear", { timeout }, async () => {
    expect(await runtime("audit")).toMatchObject({
      code: 0,
      out: expect.stringContaining("No entries yet."),
    });
    expect(await runtime("audit", "--what", "rule")).toMatchObject({
      code: 0,
      out: "No matching entries.\n",
    });
    expect(await runtime("audit", "export")).toMatchObject({
      code: 0,
      out: "",
      err: expect.stringContaining("No entries to export."),
    });
    expect(await runtime("effects", "list")).toMatchObject({
      code: 0,
      out: "No unconfirmed actions.\n",
    });
    expect(await runtime("stop", "--all", "--yes")).toMatchObject({
      code: 0,
      out: "No runs to stop.\n",
    });
  });

  test(
    "RT12 shows decisions, attempts and outcomes as a table, as JSON and as JSON Lines",
    { timeout },
    async () => {
      const { runId, approvalId, digest } = await park("Lunch");
      expect(await runtime("approvals", "approve", approvalId, "--digest", digest)).toMatchObject({
        code: 0,
      });
      const { out: folded } = await runtime("audit", "--search", "lunch", "--kind", "actions");
      expect(folded).toMatch(
        new RegExp(
          `^WHEN +WHAT +STATE +RUN +DETAILS\\n.* post_note +done +${runId.slice(0, 8)}.*\\n$`,
        ),
      );
      const { activity } = await jsonOf<{ activity: ActivityView[] }>("audit", "--run", runId);
      expect(activity.map(({ entries }) => entries.length)).toEqual([6]);
      expect(await runtime("audit", "--search", "breakfast")).toMatchObject({
        out: "No matching entries.\n",
      });
      expect(await runtime("audit", "--search", "lunch", "--raw")).toMatchObject({ code: 2 });
      const { out } = await runtime("audit", "--raw", "--run", runId.slice(0, 8));
      expect(out).toMatch(/^WHEN +WHO +WHAT +TOOL +RUN +DETAILS\n/);
      expect(out).toMatch(
        new RegExp(`owner +approval\\.approved +post_note +${runId.slice(0, 8)}`),
      );
      const { audit } = await jsonOf<{ audit: AuditView[] }>(
        "audit",
        "--run",
        runId,
        "--what",
        "approval",
        "--limit",
        "2",
      );
      expect(audit.map(({ what, by }) => [what, by])).toEqual([
        ["approval.used", "bron"],
        ["approval.approved", "owner"],
      ]);
      const lines = (await runtime("audit", "export", "--run", runId)).out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as AuditView);
      expect(lines.map(({ what }) => what).toReversed()).toEqual([
        "effect.awaiting_confirmation",
        "approval.requested",
        "approval.approved",
        "approval.used",
        "effect.attempting",
        "effect.done",
      ]);
      expect(lines.every((row) => row.runId === runId && row.digest === digest)).toBe(true);
    },
  );

  test("X7 stops every run at once, and only after confirmation", { timeout }, async () => {
    const parked = [await park("One"), await park("Two")];
    expect(await runtime("stop")).toMatchObject({ code: 2, err: expect.stringContaining("--all") });
    expect(await runtime("stop", "--all")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--yes"),
    });
    expect(await runtime("stop", "--all", "--yes", "--reason", "odd")).toMatchObject({
      code: 0,
      out: "Stopped 2 runs.\n",
    });
    for (const { runId } of parked)
      expect(await jsonOf("runs", "show", runId)).toMatchObject({ run: { status: "canceled" } });
    expect(await jsonOf("audit", "--what", "owner.stopped", "--limit", "1")).toMatchObject({
      audit: [{ by: "owner", details: { runs: 2, reason: "odd" } }],
    });
  });

  test("X2 an unknown effect can be settled once", { timeout }, async () => {
    const { runId } = await park("Three");
    const { effects } = await jsonOf<{ effects: EffectView[] }>("runs", "show", runId);
    const id = effects[0]?.id ?? randomUUID();
    expect(await runtime("effects", "settle", id, "--happened")).toMatchObject({
      code: 1,
      err: expect.stringContaining("code: conflict"),
    });
    const { pool, close } = await openDatabase({ url: postgres.url, poolSize: 1 });
    await pool.query("update effects set state = 'unknown' where id = $1", [id]);
    await close();
    expect((await runtime("effects", "list")).out).toMatch(
      new RegExp(`^ID.*\n${id.slice(0, 8)} +${runId.slice(0, 8)} +0 +Posting to a board`),
    );
    expect(await runtime("effects", "settle", id.slice(0, 8))).toMatchObject({
      code: 2,
      err: expect.stringContaining("--happened or --did-not-happen"),
    });
    expect(
      await runtime("effects", "settle", id.slice(0, 8), "--did-not-happen", "--note", "looked"),
    ).toMatchObject({
      code: 0,
      out: `Recorded: "Posting to a board" (${id.slice(0, 8)}) did not happen.\n`,
    });
    expect(await runtime("effects", "settle", id, "--happened")).toMatchObject({
      code: 1,
      err: expect.stringContaining("already settled"),
    });
    expect((await runtime("runs", "show", runId, "--verbose")).out).toMatch(
      /unknown: did not happen/,
    );
    expect(await jsonOf("runs", "show", runId)).toMatchObject({
      effects: [{ settled: { as: "did_not_happen", note: "looked" } }],
    });
  });

  test("RT12 the doctor reports what protects the audit log", { timeout }, async () => {
    const { checks } = JSON.parse((await runtime("doctor", "--json")).out) as {
      checks: { name: string; text: string }[];
    };
    expect(checks.find(({ name }) => name === "Audit")).toMatchObject({
      level: "ok",
      text: expect.stringContaining("append-only (role and trigger)"),
    });
  });
});
