import type { ApprovalView, RunView } from "@bron/protocol";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { startDemoRuns } from "./support/demo-task.ts";
import { approve, deny, readToEnd } from "./support/decide.ts";
import { inStore } from "./support/in-store.ts";
import { ask } from "./support/seed-runs.ts";
import { startForFile } from "./support/start-for-file.ts";
import { unfoldSteps } from "./support/task-page.ts";
import { untilState } from "./support/until-state.ts";

const account = "mara@lindqvist.example";

const { bron, signedInPage } = await startForFile({ env: { BRON_UNDO_SECONDS: "4" } });
const page = await signedInPage();

describe("approvals that are decided in several places, or too late", () => {
  const sentCount = async () => (await bron.record()).sent.length;
  const open = async (tab: Page, runId: string) => {
    await tab.goto(`${bron.url}/runs/${runId}`);
    await tab.getByRole("region", { name: "Send this email?" }).waitFor();
  };

  it("BR2 X1 shows in a second tab that an approval was denied, and does not let it approve", async () => {
    const [runId = ""] = await startDemoRuns(page, 1);
    const before = await sentCount();
    const inbox = await page.context().newPage();
    await inbox.goto(`${bron.url}/approvals`);
    await inbox.getByRole("button", { name: /^Approve & send/ }).waitFor();
    await open(page, runId);
    await deny(page, "not today");
    await inbox.getByText("Already denied in another window.").waitFor();
    await inbox.getByRole("heading", { name: "Denied" }).waitFor();
    await inbox.getByText("not today").waitFor();
    expect(await inbox.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
    expect(await sentCount()).toBe(before);
    await inbox.close();
  }, 120_000);

  it("BR2 X1 counts down, and says that nothing was done when the time has run out", async () => {
    const [runId = ""] = await startDemoRuns(page, 1);
    const before = await sentCount();
    const until = new Date(Date.now() + 15_000).toISOString();
    // The run page reads approvals from the log, and everything else from their table.
    await inStore(bron, "update approvals set expires_at = $2 where run_id = $1", [runId, until]);
    await inStore(
      bron,
      `update run_log set events = regexp_replace(events::text, '"expiresAt": ?"[^"]+"', '"expiresAt":"' || $2 || '"')::json
        where run_id = $1 and events::text like '%expiresAt%'`,
      [runId, until],
    );
    await open(page, runId);
    await page
      .getByText(/\(in 1?\ds\)$/)
      .first()
      .waitFor();
    await page.getByText("The approval expired. Nothing was done.").first().waitFor();
    await unfoldSteps(page);
    await page.getByRole("heading", { name: "Expired" }).waitFor();
    expect(await page.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
    expect(await sentCount()).toBe(before);
  }, 120_000);

  it("X1 does not send a draft that was changed in the mailbox meanwhile, and says that nothing was sent", async () => {
    const [runId = ""] = await startDemoRuns(page, 1);
    const before = await sentCount();
    await open(page, runId);
    const { drafts } = (await bron.control("drafts", { account })) as {
      drafts: { draftId: string; subject: string }[];
    };
    for (const { draftId } of drafts)
      await bron.control("drafts/edit", {
        account,
        draftId,
        mail: {
          from: account,
          to: "mallory@evil.example",
          subject: "Changed",
          text: "other words",
        },
      });
    await approve(page);
    await untilState(page, "Partly done");
    await unfoldSteps(page);
    await page.getByText("Not sent. See the task for details.").waitFor();
    expect(await sentCount()).toBe(before);
  }, 120_000);

  it("BR2 X1 X3 approves a group of three without the one that was removed, by keyboard", async () => {
    const before = (await bron.record()).sent.length;
    const people = ["jonas@lindqvist.example", "priya@lindqvist.example", "rachel@x.example"];
    const { id: runId } = await ask<RunView>(page, "POST", "/api/runs", {
      prompt: `Email ${people.join(", ")} separately: Lunch is at noon.`,
    });
    await page.goto(`${bron.url}/approvals`);
    const list = page.getByRole("list", { name: "Pending" });
    await list.getByRole("button", { name: "Send 3 emails" }).waitFor();
    expect(await list.getByRole("listitem").count()).toBe(1);
    expect(await page.title()).toMatch(/^\(1\)/);

    await page.goto(`${bron.url}/runs/${runId}`);
    const card = page.getByRole("region", { name: "Send 3 emails?" });
    await card.getByRole("button", { name: /^Remove priya/ }).focus();
    await page.keyboard.press("Enter");
    const button = card.getByRole("button", { name: /^Approve & send 2 emails/ });
    await button.focus();
    await page.keyboard.press("Enter");
    expect(await card.count()).toBe(1);
    // The key goes to what has not been read, and approves when all of it has been.
    await page.getByRole("heading", { name: "Send 3 emails?" }).click();
    await page.keyboard.press("a");
    expect((await bron.record()).sent).toHaveLength(before);
    await expect
      .poll(async () => {
        if ((await button.count()) > 0) await page.keyboard.press("a");
        return await button.count();
      })
      .toBe(0);

    await page.getByRole("region", { name: "2 approved · 1 denied" }).waitFor();
    await page.getByRole("button", { name: "Undo all" }).waitFor();
    await untilState(page, "Partly done");
    const sent = (await bron.record()).sent.slice(before);
    expect(sent.flatMap(({ recipients }) => recipients.to).toSorted()).toEqual([
      people[0],
      people[2],
    ]);
    await unfoldSteps(page);
    await page.getByRole("region", { name: "2 approved · 1 denied" }).waitFor();
  }, 120_000);

  const outcomes = () => page.getByRole("region", { name: "Results" });
  /**
   * Reads and selects all pending approvals, of which there must be at least `least`. Returns how
   * many there are.
   */
  const chooseAll = async (least: number) => {
    await page.goto(`${bron.url}/approvals`);
    const list = page.getByRole("list", { name: "Pending" });
    await expect.poll(() => list.getByRole("listitem").count()).toBeGreaterThanOrEqual(least);
    const rows = await list.getByRole("listitem").all();
    for (const row of rows.slice(1))
      expect(await row.getByRole("checkbox").isDisabled()).toBe(true);
    for (const row of rows) {
      await row.getByRole("button").click();
      await readToEnd(page, () => row.getByRole("checkbox").isEnabled());
      await row.getByRole("checkbox").check();
    }
    return rows.length;
  };

  it("BR2 X1 approves several at once, each only after it was read, with a separate outcome and undo for each", async () => {
    const runs = await startDemoRuns(page, 3);
    const before = await sentCount();
    const count = await chooseAll(3);
    // One approval is decided elsewhere at the same moment. Its outcome says so, and the others are
    // carried out.
    await page.route("**/api/approvals/batch", async (route) => {
      await inStore(
        bron,
        "update approvals set state = 'denied', decided_at = clock_timestamp() where run_id = $1",
        [runs[0]],
      );
      await route.continue();
    });
    await page.getByRole("button", { name: `Approve ${count} requests`, exact: true }).click();
    await outcomes().waitFor();
    expect(await outcomes().getByRole("listitem").count()).toBe(count);
    const undos = outcomes().getByRole("button", { name: /^Undo \d of \d: Sending the draft/ });
    expect(await undos.count()).toBe(count - 1);
    await undos.last().click();
    await expect
      .poll(() => outcomes().getByText("Sent", { exact: true }).count(), { timeout: 60_000 })
      .toBe(count - 2);
    expect(await outcomes().getByText("Approval undone").count()).toBe(1);
    expect(await sentCount()).toBe(before + count - 2);
    await page.unroute("**/api/approvals/batch");
  }, 180_000);

  it("BR2 X1 undoes several approvals together while none of them has started", async () => {
    await startDemoRuns(page, 2);
    const before = await sentCount();
    const count = await chooseAll(2);
    await page.getByRole("button", { name: `Approve ${count} requests`, exact: true }).click();
    await outcomes().getByRole("button", { name: "Undo all" }).click();
    await expect.poll(() => outcomes().getByText("Approval undone").count()).toBe(count);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("LI");
    expect(await sentCount()).toBe(before);
  }, 120_000);

  const pendingOf = async (runId: string) =>
    (await ask<{ approvals: ApprovalView[] }>(page, "GET", `/api/approvals?runId=${runId}`))
      .approvals;
  /** Starts a task and waits until it asks. */
  const startAsking = async (prompt: string) => {
    const { id } = await ask<RunView>(page, "POST", "/api/runs", { prompt });
    await expect.poll(async () => (await pendingOf(id)).length, { timeout: 30_000 }).toBe(1);
    const [approval] = await pendingOf(id);
    return approval!;
  };
  const isOnScreen = async (name: string) => {
    const box = await page.getByRole("button", { name, exact: true }).boundingBox();
    const { width, height } = page.viewportSize()!;
    return box !== null && box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height;
  };

  it("BR2 X1 decides with keys in a bar that stays on the screen, names clashes, undoes a denial and snoozes", async () => {
    const call = (who: string, at: string) =>
      `Schedule a 30 minute call with ${who}@lindqvist.example tomorrow at ${at} about paint.`;
    const first = await startAsking(call("priya", "10:00"));
    const { id, digest, runId } = first;
    await ask(page, "POST", `/api/approvals/${id}/approve`, { digest });
    const stateOf = async () => (await ask<RunView>(page, "GET", `/api/runs/${runId}`)).status;
    await expect.poll(stateOf, { timeout: 30_000 }).toBe("completed");
    await startAsking(call("jonas", "10:15"));
    const note = await startAsking('Post "Paint is here" to the team board');

    await page.setViewportSize({ width: 1_280, height: 860 });
    await page.goto(`${bron.url}/approvals`);
    const list = page.getByRole("list", { name: "Pending" });
    await list.getByRole("button", { name: /^Adding an event/ }).click();
    const card = page.getByRole("region", { name: "Add this event?" });
    await card.getByText(/^⚠ Overlaps .*10:00–10:30$/).waitFor();
    for (const viewport of [
      { width: 1_280, height: 860 },
      { width: 390, height: 844 },
      { width: 320, height: 640 },
    ]) {
      await page.setViewportSize(viewport);
      await card.scrollIntoViewIfNeeded();
      for (const name of ["Approve & add event", "Edit", "Request changes", "Deny"])
        await expect.poll(() => isOnScreen(name)).toBe(true);
    }
    await page.setViewportSize({ width: 1_280, height: 860 });
    await page.keyboard.press("e");
    await page.getByRole("form", { name: "Edit" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("r");
    await page.getByLabel("What should change?").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("d");
    await page.getByLabel("Why? (optional)").waitFor();
    await page.keyboard.press("Enter");

    // The next one opens by itself. The denied one can be undone in its line.
    const noteCard = page.getByRole("region", { name: "Post this note?" });
    await noteCard.waitFor();
    await expect.poll(() => list.getByRole("listitem").count()).toBe(1);
    await outcomes().getByText("Denied", { exact: true }).waitFor();
    await outcomes()
      .getByRole("button", { name: /^Undo 1 of 1/ })
      .click();
    await outcomes().getByText("Denial undone. It's waiting for you again.").waitFor();
    await list.getByRole("button", { name: /^Adding an event/ }).click();
    await card.getByRole("button", { name: /^Move to 10:30–11:00$|^Move to / }).click();
    await card.getByText("Your changes").waitFor();
    await card.getByText("Nothing else is in your calendar at that time.").waitFor();

    await card.getByRole("button", { name: "Remind me later" }).click();
    await page.getByRole("menuitem", { name: "In 1 hour" }).click();
    await noteCard.waitFor();
    await expect.poll(() => list.getByRole("listitem").count()).toBe(1);
    expect(await page.title()).toMatch(/^\(1\)/);
    await page.getByText("Snoozed (1)").click();
    await page.getByRole("button", { name: "Show now" }).click();
    await expect.poll(() => list.getByRole("listitem").count()).toBe(2);
    for (const open of [note, ...(await pendingOf(first.runId))])
      await ask(page, "POST", `/api/runs/${open.runId}/cancel`, {});
  }, 120_000);

  it("BR2 takes seven decisions faster than the limit, and sends each when it may", async () => {
    const notes: ApprovalView[] = [];
    for (let index = 0; index < 7; index++)
      notes.push(await startAsking(`Post "Note ${index}" to the team board`));
    await page.goto(`${bron.url}/approvals`);
    let count = 0;
    let blockedUntil = 0;
    await page.route("**/api/approvals/*/approve", async (route) => {
      count += 1;
      if (count === 3) blockedUntil = Date.now() + 3_000;
      if (Date.now() >= blockedUntil) return await route.continue();
      await route.fulfill({
        status: 429,
        headers: { "retry-after": "1" },
        contentType: "application/problem+json",
        body: JSON.stringify({
          type: "about:blank",
          title: "Too many",
          status: 429,
          code: "rate_limited",
          detail: "Too many at once",
          hint: "Try again later.",
        }),
      });
    });
    const list = page.getByRole("list", { name: "Pending" });
    await list.waitFor();
    const isWaiting = page.getByText(/^Waiting to send \d approvals?$/).waitFor();
    for (let open = await list.getByRole("listitem").count(); open > 1; open--) {
      const press = async () => {
        if ((await list.getByRole("listitem").count()) < open) return true;
        await page.keyboard.press("a");
        return false;
      };
      await expect.poll(press, { timeout: 10_000, interval: 300 }).toBe(true);
    }
    await isWaiting;
    await page.getByRole("navigation").getByRole("link", { name: "Brons" }).first().click();
    const statesOf = async () =>
      (await Promise.all(notes.map(({ runId }) => pendingOf(runId))))
        .flat()
        .filter(({ state }) => state === "approved" || state === "used").length;
    await expect.poll(statesOf, { timeout: 20_000 }).toBeGreaterThanOrEqual(6);
    await page.unroute("**/api/approvals/*/approve");
  }, 120_000);
});
