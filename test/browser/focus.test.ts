import { describe, expect, it } from "vitest";
import { startDemoRuns } from "./support/demo-task.ts";
import { approve, readToEnd } from "./support/decide.ts";
import { startForFile } from "./support/start-for-file.ts";

const { bron, signedInPage } = await startForFile({ env: { BRON_UNDO_SECONDS: "2" } });
const page = await signedInPage();

describe("the focus, when the focused element disappears", () => {
  /** The name of the focused region, or the text of the focused control. */
  const focused = () =>
    page.evaluate(
      () =>
        document.activeElement?.getAttribute("aria-label") ??
        ((document.activeElement as HTMLElement | null)?.tagName === "BODY"
          ? "nothing"
          : (document.activeElement as HTMLElement).innerText),
    );
  const press = async (name: string | RegExp) => {
    await page.getByRole("button", { name }).focus();
    await page.keyboard.press("Enter");
  };

  it("BR2 X1 moves to the new approval after an edit, in view, and to the outcome when the time to undo has passed", async () => {
    const [runId = ""] = await startDemoRuns(page, 1);
    await page.goto(`${bron.url}/runs/${runId}`);
    await press("Edit");
    // The sticky header does not cover the focused field.
    const first = page.getByRole("form", { name: "Edit" }).getByLabel(/^To/);
    expect(
      await first.evaluate(
        (field) =>
          field === document.activeElement &&
          document.elementFromPoint(innerWidth / 2, field.getBoundingClientRect().top + 4) ===
            field,
      ),
    ).toBe(true);
    await page.getByLabel("Subject").fill("Edited by hand");
    await page.keyboard.press("Enter");
    const approvalRegion = page.getByRole("region", { name: "Your changes" });
    await approvalRegion.waitFor();
    await expect.poll(focused).toBe("Send this email?");
    expect(
      await page.evaluate(() => document.activeElement?.querySelector("section")?.innerText),
    ).toContain("Edited by hand");

    await approve(page);
    await page.getByRole("button", { name: "Undo" }).focus();
    await page.getByRole("timer").waitFor({ state: "detached" });
    await expect.poll(focused).toMatch(/^(?:Approved|Answer)/);
  }, 120_000);

  it("BR2 moves to the status after a run is stopped, also if the run was waiting", async () => {
    const [runId = ""] = await startDemoRuns(page, 1);
    await page.goto(`${bron.url}/runs/${runId}`);
    await press("Stop");
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    await expect.poll(focused).toBe("Stopped");
  }, 120_000);

  it("BR2 X1 moves to the next pending approval after several were decided, and to the heading after the last", async () => {
    await startDemoRuns(page, 2);
    await page.goto(`${bron.url}/approvals`);
    const list = page.getByRole("list", { name: "Pending" });
    await expect.poll(() => list.getByRole("listitem").count()).toBe(2);
    const [first, second] = await list.getByRole("listitem").all();
    const names = await list
      .getByRole("checkbox")
      .evaluateAll((all) => all.map((box) => box.getAttribute("aria-label")));
    expect(names).toEqual([
      expect.stringMatching(/^Select 1 of 2: Sending the draft: \S+@\S+ · /),
      expect.stringMatching(/^Select 2 of 2: /),
    ]);
    const last = await second?.getByRole("button").innerText();
    const choose = async (row: typeof first) => {
      // A click anywhere on the row opens it.
      await row?.getByText(/^Requested/).click();
      await readToEnd(page, async () => (await row?.getByRole("checkbox").isEnabled()) === true);
      await row?.getByRole("checkbox").check();
    };
    await choose(first);
    await press("Deny 1 request");
    await expect.poll(() => list.getByRole("listitem").count()).toBe(1);
    expect(await focused()).toBe(last);
    await choose(list.getByRole("listitem").first());
    await press("Deny 1 request");
    await expect.poll(() => list.count()).toBe(0);
    expect(await focused()).toBe("Approvals");
  }, 120_000);

  it("BR26 moves to the button that connects an account after it was disconnected", async () => {
    await page.goto(`${bron.url}/connections`);
    await press("Disconnect Google");
    const confirm = page.getByRole("dialog").getByRole("button", { name: "Disconnect Google" });
    await confirm.press("Enter");
    await page.getByRole("link", { name: "Connect Google" }).waitFor();
    await expect.poll(focused).toBe("Connect Google");
  }, 120_000);
});
