import { isFullSuite } from "@bron/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startBron, type StartedBron } from "../browser/support/started-bron.ts";

interface Event {
  readonly type: string;
  readonly payload: {
    readonly kind?: string;
    readonly status?: string;
    readonly payload?: {
      readonly fields?: { readonly found?: boolean }[];
      readonly sentMessageId?: string;
    };
  };
}

/** The demo as a new user gets it: demo model, sandbox mailbox, no key and no network. */
describe("the demo task, with the demo model", () => {
  let runtime: StartedBron;
  let cookie: string;
  beforeAll(async () => {
    runtime = await startBron({ template: inject("templateHome") });
    const response = await fetch(runtime.signInLink, { redirect: "manual" });
    cookie = response.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
  }, 60_000);
  afterAll(async () => await runtime.close());

  const ask = async <T>(path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${runtime.url}${path}`, {
      headers: { cookie, "content-type": "application/json" },
      method: body === undefined ? "GET" : "POST",
      body: body === undefined ? null : JSON.stringify(body),
    });
    expect(response.ok, `${path}: ${response.status}`).toBe(true);
    return (await response.json()) as T;
  };
  const until = async (runId: string, wanted: readonly string[]) => {
    for (
      const deadline = Date.now() + 60_000;
      Date.now() < deadline;
      await new Promise((resolve) => setTimeout(resolve, 200))
    ) {
      const { status } = await ask<{ status: string }>(`/api/runs/${runId}`);
      if (wanted.includes(status)) return status;
    }
    throw new Error(`Run ${runId} did not reach the expected status`);
  };
  const eventsOf = async (runId: string) =>
    (await ask<{ events: Event[] }>(`/api/runs/${runId}/events`)).events;

  const kinds = [
    [
      "PDF",
      "Find the latest invoice with a PDF attachment from the last 60 days, extract the key fields, draft an email to jonas@lindqvist.example with a summary, and send it.",
    ],
    [
      "CSV",
      "Look for the newest message with a CSV file from the last 90 days, pull out the key fields and mail a summary of them to jonas@lindqvist.example.",
    ],
    [
      "XLSX",
      "Please find the most recent order with an Excel sheet, extract the important fields and send them to jonas@lindqvist.example.",
    ],
  ] as const;
  // Other short tests do the same with a PDF, in the browser and with json logs.
  it.each(isFullSuite ? kinds : [kinds[1]])(
    "BR3 BR17 X8 over HTTP: extracts five or more fields of a %s, asks for approval, sends once",
    async (_kind, prompt) => {
      const before = (await runtime.record()).sent.length;
      const { id } = await ask<{ id: string }>("/api/runs", { prompt });
      const status = await until(id, ["awaiting_confirmation", "completed", "failed"]);
      const said = await eventsOf(id);
      expect(
        status,
        JSON.stringify(
          said.filter(({ type }) => type === "message" || type === "tool"),
          null,
          1,
        ).slice(-3_000),
      ).toBe("awaiting_confirmation");
      const fields = said.flatMap(({ type, payload }) =>
        type === "ui" && payload.kind === "ExtractedFieldsTable"
          ? (payload.payload?.fields ?? [])
          : [],
      );
      expect(fields.filter(({ found }) => found === true).length).toBeGreaterThanOrEqual(5);
      expect(fields.filter(({ found }) => found === false)).toEqual([]);
      const { approvals } = await ask<{ approvals: { id: string; digest: string }[] }>(
        `/api/approvals?runId=${id}&pending=true`,
      );
      await ask(`/api/approvals/${approvals[0]?.id}/approve`, { digest: approvals[0]?.digest });
      await until(id, ["completed", "failed"]);
      const { sent } = await runtime.record();
      expect(sent.slice(before).map(({ recipients }) => recipients.envelope)).toEqual([
        ["jonas@lindqvist.example"],
      ]);
      expect((await eventsOf(id)).at(-2)?.payload.payload?.sentMessageId).toBe(
        sent.at(-1)?.messageId,
      );
    },
  );

  it(
    "BR3 BR24 in the terminal: bron demo works step by step within two minutes",
    { timeout: 150_000 },
    async () => {
      const before = (await runtime.record()).sent.length;
      const startedAt = performance.now();
      const { code, out } = await runtime.command("demo", "--yes");
      expect(code, out).toBe(0);
      expect(performance.now() - startedAt).toBeLessThan(120_000);
      for (const step of [
        "Searched your email",
        "Read an email",
        "Downloaded an attachment: Invoice-",
        "Read a document: Invoice-",
        "Extracted fields: Invoice-",
        "Saved a draft: jonas@lindqvist.example",
        "Sent an email",
      ])
        expect(out).toContain(`  ${step}`);
      const { sent } = await runtime.record();
      expect(sent).toHaveLength(before + 1);
    },
  );

  it("X8 bron sandbox reset restores the mailbox", async () => {
    const { code, out } = await runtime.command("sandbox", "reset");
    expect(code, out).toBe(0);
    expect((await runtime.record()).sent).toEqual([]);
    // The next test performs the same task in the restored mailbox.
    if (!isFullSuite) return;
    const again = await runtime.command("demo", "--yes");
    expect(again.code, again.out).toBe(0);
    expect((await runtime.record()).sent).toHaveLength(1);
  });

  it("BR3 BR5 continues when bron start is killed while it waits, and the approval is valid after the restart", async () => {
    const { id } = await ask<{ id: string }>("/api/runs", {
      prompt:
        "Find the latest invoice with a PDF attachment from the last 60 days, extract the key fields and send a summary to jonas@lindqvist.example.",
    });
    await until(id, ["awaiting_confirmation"]);
    const before = (await runtime.record()).sent.length;
    await runtime.kill("SIGKILL");
    const again = await startBron({ home: runtime.home });
    try {
      const { approvals } = await runJson<{
        approvals: { id: string; digest: string; runId: string }[];
      }>(again, "approvals", "list", "--json");
      const approval = approvals.find(({ runId }) => runId === id);
      expect(
        (
          await again.command(
            "approvals",
            "approve",
            approval?.id ?? "",
            "--digest",
            approval?.digest ?? "",
          )
        ).code,
      ).toBe(0);
      expect((await again.record()).sent).toHaveLength(before + 1);
    } finally {
      await again.kill("SIGTERM");
    }
  }, 60_000);
});

async function runJson<T>(runtime: StartedBron, ...args: string[]): Promise<T> {
  const { out } = await runtime.command(...args);
  return JSON.parse(out) as T;
}
