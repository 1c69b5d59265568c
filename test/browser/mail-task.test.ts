import { isFullSuite } from "@bron/testing";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { chooseDemoTask } from "./support/demo-task.ts";
import { approve, deny } from "./support/decide.ts";
import { newPage } from "./support/new-page.ts";
import { startForFile } from "./support/start-for-file.ts";
import { unfoldSteps } from "./support/task-page.ts";
import { untilState } from "./support/until-state.ts";

const shots = process.env["BRON_SCREENSHOTS"];

const { bron, browser } = await startForFile();

describe("the page, in a real browser", () => {
  const signedIn = async (): Promise<Page> => {
    const page = await newPage(browser);
    const { out } = await bron.command("open");
    await page.goto(/http:\S+sign-in\S+/.exec(out)?.[0] ?? "");
    return page;
  };
  const shoot = async (page: Page, name: string) => {
    if (shots !== undefined)
      await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
  };

  it("BR2 BR3 X8 goes from the demo task to a sent email, shows the same in every browser, and unfolds tool calls", async () => {
    const problems: string[] = [];
    const page = await signedIn();
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    const outside: string[] = [];
    page.on(
      "request",
      (request) => !request.url().startsWith(bron.url) && outside.push(request.url()),
    );
    await page.getByText("Demo mode", { exact: true }).waitFor();
    await chooseDemoTask(page);
    await shoot(page, "home");
    await page.getByRole("button", { name: "Start", exact: true }).click();

    const approval = page.getByRole("region", { name: "Send this email?" });
    await approval.getByRole("button", { name: /^Approve/ }).waitFor();
    await shoot(page, "asked");
    const to = await approval.locator("[data-address]").innerText();
    const text = await approval.locator("pre.mail").innerText();
    expect((await bron.record()).sent).toEqual([]);
    await unfoldSteps(page);
    for (const title of [
      /^Found \d+ emails?$/,
      "Attachments",
      /^Details from /,
      "Draft saved (not sent)",
    ])
      expect(
        await page.getByRole("heading", { name: title }).count(),
        String(title),
      ).toBeGreaterThan(0);
    expect(await page.locator("table tbody tr[data-found=true]").count()).toBeGreaterThanOrEqual(5);

    // Another browser, and a reload, show the same approval.
    const other = await signedIn();
    await other.goto(page.url());
    const otherApproval = other.getByRole("region", { name: "Send this email?" });
    await otherApproval.getByRole("button", { name: /^Approve/ }).waitFor();
    const what = { name: "What will be sent" };
    // The marks of the recipients come after the card.
    const shown = approval.getByRole("group", what);
    await expect
      .poll(async () => await otherApproval.getByRole("group", what).innerText())
      .toBe(await shown.innerText());
    await page.reload();
    await approve(page);

    await untilState(page, "Done");
    await untilState(other, "Done");
    await shoot(page, "done");
    const { sent } = await bron.record();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.recipients.envelope).toEqual([to]);
    expect(text.length).toBeGreaterThan(50);
    // The answer comes first, and no card repeats it.
    const answer = page.getByRole("region", { name: "Answer" });
    await answer.getByText(/^Sent "Summary: /).waitFor();
    expect(await answer.innerText()).toContain(to);
    expect((await answer.boundingBox())?.y).toBeLessThan(400);
    expect(await page.getByRole("heading", { name: "Done" }).count()).toBe(0);
    await Promise.all([page.reload(), other.reload()]);
    for (const one of [page, other]) {
      await unfoldSteps(one);
      await one.getByRole("heading", { name: "Approved" }).waitFor();
    }
    await expect.poll(() => other.getByText("Sent", { exact: true }).count()).toBe(1);
    await page.getByText("Sent", { exact: true }).waitFor();
    expect(await other.locator("[data-task]").innerText()).toBe(
      await page.locator("[data-task]").innerText(),
    );
    const call = page.locator("details").filter({ hasText: "Searched your email" }).first();
    const toolInput = call.getByText("Input", { exact: true });
    for (const isOpen of [true, false]) {
      expect(await toolInput.isVisible()).toBe(!isOpen);
      await call.locator("summary").click();
      await toolInput.waitFor({ state: isOpen ? "visible" : "hidden" });
    }
    expect(problems).toEqual([]);
    expect(outside).toEqual([]);

    for (const [name, scheme, width] of [
      ["dark", "dark", 1_200],
      ["phone", "light", 390],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      await shoot(page, name);
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
        ),
      ).toBe(true);
    }
  }, 120_000);

  it("BR2 denies with a reason that reaches the model, and nothing is sent", async () => {
    const before = (await bron.record()).sent.length;
    const page = await signedIn();
    await page.setViewportSize({ width: 1_280, height: 360 });
    await chooseDemoTask(page);
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByRole("button", { name: "Deny" }).waitFor();
    // Approves nothing, because not all of it has been on the screen.
    await page.getByRole("button", { name: /^Approve & / }).dispatchEvent("click");
    await deny(page, "wrong person");
    await untilState(page, "You declined");
    expect((await bron.record()).sent).toHaveLength(before);
    await unfoldSteps(page);
    await page.getByText("wrong person").first().waitFor();
  }, 120_000);

  it.runIf(isFullSuite)(
    "BR6 BR7 works in seven tabs at once, which are more than a browser's connections to one host",
    async () => {
      const page = await signedIn();
      for (let tab = 2; tab <= 7; tab++) {
        const other = await page.context().newPage();
        await other.goto(bron.url);
        await other.getByLabel("What can I do for you?").waitFor();
      }
      await page.reload();
      await page.getByLabel("What can I do for you?").waitFor();
    },
    120_000,
  );

  it("BR8 shows nothing without signing in", async () => {
    const page = await newPage(browser);
    for (const path of ["/", "/runs/3f9a1c20-1111-4222-8333-444455556666"]) {
      const response = await page.goto(`${bron.url}${path}`);
      expect(response?.status(), path).toBe(401);
    }
  });
});
