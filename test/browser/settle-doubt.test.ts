import { openDatabase, openEmbeddedPostgres } from "@bron/store";
import { randomUUID } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./support/open-browser.ts";
import { startBron, type StartedBron } from "./support/started-bron.ts";

describe("an effect of which nobody knows whether it happened", () => {
  let bron: StartedBron;
  let browser: Browser;
  beforeAll(async () => {
    [bron, browser] = await Promise.all([startBron(), openBrowser()]);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await bron.close();
  });

  /** Puts a doubt into the log of a run that is over, as the loop writes it. */
  const leaveInDoubt = async (runId: string, effectId: string) => {
    const postgres = await openEmbeddedPostgres({ home: bron.home });
    const { pool, close } = await openDatabase({ url: postgres.url, poolSize: 1 });
    const card = [{ type: "ui", payload: { kind: "UnknownEffectCard", payload: { effectId, actionId: randomUUID(), tool: "gmail_send", preview: "To eva@example.com", check: "Look among sent mail." } } }];
    await pool.query("insert into effects (id, run_id, owner_id, action_id, tool, state, digest, prepared) values ($1, $2, 'local', $3, 'gmail_send', 'unknown', 'sha256:1', '{}')", [effectId, runId, randomUUID()]);
    // Before the last entry, which ends what a page reads.
    await pool.query("update run_log set events = ($2::jsonb || events::jsonb)::json, seq = seq + 1 where run_id = $1 and seq = (select max(seq) from run_log where run_id = $1)", [runId, JSON.stringify(card)]);
    await pool.query("update runs set last_seq = last_seq + 1 where id = $1", [runId]);
    await close();
    await postgres.close();
  };

  it("X2 is settled on its card by the owner, once, and stays so", async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(bron.signInLink);
    await page.getByLabel("What is to be done?").fill("What is 6 * 7?");
    await page.getByRole("button", { name: "Begin" }).click();
    await page.getByRole("status").filter({ hasText: "Done" }).waitFor({ timeout: 30_000 });
    const runId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await leaveInDoubt(runId, randomUUID());

    await page.reload();
    const card = page.getByRole("region").filter({ hasText: "To eva@example.com" });
    await card.getByRole("heading", { name: "Nobody knows whether this happened" }).waitFor();
    await card.getByText("Look among sent mail.").waitFor();
    await card.getByPlaceholder("How do you know?").fill("it is not there");
    await card.getByRole("button", { name: "It did not happen" }).click();
    await card.getByRole("heading", { name: "It did not happen" }).waitFor();
    expect(await card.getByRole("button").count()).toBe(0);

    await page.reload();
    await card.getByText("it is not there").waitFor();
    await card.getByRole("heading", { name: "It did not happen" }).waitFor();
  }, 120_000);
});
