import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { copyTemplateHome } from "../../../../test/support/template-home.ts";
import { makeTempFolder } from "@bron/testing";
import { spawnBron, stopAll, type RunningBron } from "./spawn-bron.fixture.ts";

const prompt =
  "Find the latest invoice with a PDF attachment from the last 60 days, extract the key fields, draft an email to jonas@lindqvist.example with a summary, and send it.";
const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
/** Names that Bron defines: tools, states, kinds, models. */
const name = /^[a-z][a-z0-9_./-]{0,40}$/;

describe("bron start with LOG_FORMAT=json and LOG_LEVEL=debug", () => {
  let folder: string;
  let home: string;
  let server: RunningBron;
  let url: string;
  let cookie: string;
  let token: string;
  const secrets: string[] = [];
  /** All text of the mailbox and of the run. */
  const words: unknown[] = [prompt];

  beforeAll(async () => {
    folder = await makeTempFolder();
    home = join(folder, "home");
    await copyTemplateHome(inject("templateHome"), home);
    server = spawnBron(["start"], { BRON_HOME: home, LOG_FORMAT: "json", LOG_LEVEL: "debug" });
    [, url = ""] = await server.waitFor(/^Bron is ready: (\S+)/m);
    const [, link = ""] = await server.waitFor(/^Sign in: (\S+)/m);
    const response = await fetch(link, { redirect: "manual" });
    cookie = response.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
    secrets.push(new URL(link).searchParams.get("token") ?? "", cookie.split("=")[1] ?? "");
  }, 60_000);
  afterAll(async () => {
    await stopAll([server]);
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  const ask = async <T>(
    path: string,
    body?: unknown,
    headers: Record<string, string> = { cookie },
  ): Promise<T> => {
    const response = await fetch(`${url}${path}`, {
      headers: { ...headers, "content-type": "application/json" },
      method: body === undefined ? "GET" : "POST",
      body: body === undefined ? null : JSON.stringify(body),
    });
    expect(response.ok, `${path}: ${response.status}`).toBe(true);
    const text = await response.text();
    return (
      response.headers.get("content-type")?.includes("json") === true ? JSON.parse(text) : text
    ) as T;
  };
  const until = (id: string, wanted: string) =>
    expect
      .poll(async () => (await ask<{ status: string }>(`/api/runs/${id}`)).status, {
        timeout: 30_000,
        interval: 50,
      })
      .toBe(wanted);

  test(
    "BR23 sends an email, denies a note and rejects a stranger",
    { timeout: 60_000 },
    async () => {
      ({ token } = await ask<{ token: string }>("/api/tokens", {
        name: "Prometheus",
        scopes: ["read"],
      }));
      secrets.push(token);
      const { id } = await ask<{ id: string }>("/api/runs", { prompt });
      await until(id, "awaiting_confirmation");
      const { approvals } = await ask<{ approvals: { id: string; digest: string }[] }>(
        `/api/approvals?runId=${id}&pending=true`,
      );
      words.push(approvals);
      await ask(`/api/approvals/${approvals[0]?.id}/approve`, { digest: approvals[0]?.digest });
      await until(id, "completed");
      const denied = await ask<{ id: string }>("/api/runs", {
        prompt: 'Post "Nobody shall read this" to the team board',
      });
      await until(denied.id, "awaiting_confirmation");
      const [asked] = (
        await ask<{ approvals: { id: string; digest: string }[] }>(
          `/api/approvals?runId=${denied.id}&pending=true`,
        )
      ).approvals;
      await ask(`/api/approvals/${asked?.id}/deny`, {
        digest: asked?.digest,
        reason: "These words are mine alone",
      });
      await until(denied.id, "completed");
      await fetch(`${url}/api/runs?secret=in-the-query`, {
        headers: { authorization: "Bearer wrong-token-of-somebody" },
      });
      words.push(
        "Nobody shall read this",
        "These words are mine alone",
        "secret=in-the-query",
        "wrong-token-of-somebody",
      );
      for (const run of [id, denied.id])
        for (const part of ["events", "actions", "effects", "artifacts"])
          words.push(await ask(`/api/runs/${run}/${part}`));
      words.push(await ask("/api/demo"), await ask("/api/connections"));
    },
  );

  test("BR23 a scraper with a read token gets the metrics", async () => {
    const text = await ask<string>("/metrics", undefined, { authorization: `Bearer ${token}` });
    const metric = (sample: string) =>
      Number(
        text
          .split("\n")
          .find((line) => line.startsWith(`${sample} `))
          ?.split(" ")
          .at(-1),
      );
    expect(metric('bron_runs_total{status="completed",outcome="done"}')).toBe(1);
    expect(metric('bron_runs_total{status="completed",outcome="denied"}')).toBe(1);
    expect(metric('bron_run_duration_seconds_count{status="completed"}')).toBe(2);
    expect(metric("bron_runs_active")).toBe(0);
    expect(metric('bron_approvals_total{decision="requested"}')).toBe(2);
    expect(metric('bron_approvals_total{decision="approved"}')).toBe(1);
    expect(metric('bron_approvals_total{decision="denied"}')).toBe(1);
    expect(
      metric('bron_tool_calls_total{tool="gmail_search",outcome="completed"}'),
    ).toBeGreaterThanOrEqual(1);
    expect(metric('bron_tool_calls_total{tool="post_note",outcome="rejected"}')).toBe(1);
    expect(metric('bron_effects_total{tool="gmail_draft_send",state="done"}')).toBe(1);
    expect(metric('bron_tokens_total{direction="input",model="demo/gemini-demo"}')).toBeGreaterThan(
      1_000,
    );
    expect(metric('bron_cost_microusd_total{model="demo/gemini-demo"}')).toBe(0);
    expect(
      metric(
        'bron_http_requests_total{route="/api/approvals/:id/approve",method="POST",status="200"}',
      ),
    ).toBe(1);
    expect(metric("bron_database_up")).toBe(1);
    expect(metric("bron_approvals_pending")).toBe(0);
  });

  test(
    "BR23 every line of standard error is JSON, with ids and without mailbox content, run content or secrets",
    { timeout: 60_000 },
    async () => {
      server.process.kill("SIGTERM");
      const { err } = await server.finished;
      const lines = err
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(lines.filter(({ what }) => what === "run_ended")).toMatchObject([
        {
          status: "completed",
          ownerId: "local",
          runId: expect.stringMatching(uuid),
          ms: expect.any(Number),
        },
        { status: "completed" },
      ]);
      for (const what of [
        "run_created",
        "run_claimed",
        "run_parked",
        "approval_moved",
        "model_called",
        "tool_ended",
        "effect_moved",
      ])
        expect(
          lines.map((line) => line["what"]),
          what,
        ).toContain(what);
      expect(lines.map(({ msg }) => msg)).toContain(
        "Stopping. Running tasks will resume next time.",
      );
      expect(lines.filter(({ msg }) => msg === "request")).toContainEqual(
        expect.objectContaining({
          level: "info",
          method: "POST",
          route: "/api/runs",
          status: 201,
          ownerId: "local",
          via: "link",
          requestId: expect.stringMatching(/^[0-9a-f]{24}$/),
        }),
      );
      for (const file of await readdir(home))
        if (/secret/.test(file)) secrets.push((await readFile(join(home, file), "utf8")).trim());
      secrets.push(
        (
          JSON.parse(await readFile(join(home, "sandbox", "server.json"), "utf8")) as {
            controlKey: string;
          }
        ).controlKey,
      );
      expect(secrets.length).toBeGreaterThanOrEqual(5);
      const forbidden = [...secrets, ...words.flatMap(strings).flatMap(piecesOf)];
      expect(forbidden.length).toBeGreaterThan(500);
      expect(forbidden.filter((piece) => err.includes(piece))).toEqual([]);
    },
  );
});

/** Every string in a value, without the keys. */
function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}

/**
 * The text and its fragments, because a fragment would be a leak too. Omits names that Bron defines
 * and may log.
 */
function piecesOf(text: string): string[] {
  if (text.length < 8 || uuid.test(text) || name.test(text) || /^\d{4}-\d\d-\d\dT/.test(text))
    return [];
  const addresses = text.match(/[\w.+-]+@[\w-]+\.[\w.-]+/g) ?? [];
  return [
    ...addresses,
    ...(text.match(/[^\n]{8,24}/g) ?? []).filter(
      (piece) => piece.trim().length >= 8 && /[\s@]/.test(piece.trim()),
    ),
    ...(/\s/.test(text) ? [] : [text]),
  ];
}
