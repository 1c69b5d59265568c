import { describe, expect, it } from "vitest";
import { addToLog } from "./support/in-store.ts";
import { newPage } from "./support/new-page.ts";
import { startForFile } from "./support/start-for-file.ts";
import { newestRunId, unfoldSteps } from "./support/task-page.ts";
import { untilState } from "./support/until-state.ts";

const image = "![x](https://evil.example/p.png?d=61000)";
const hostile = {
  from: '"Mara <img src=https://evil.example/a>" <collector@evil.example>',
  subject: `Invoice ${image} <img src=https://evil.example/b onerror=alert(1)> [pay](https://evil.example/c) \u202Egnp.exe`,
  text: `${image}\n\n[r]: https://evil.example/ref\n<a href="https://evil.example/d">here</a> javascript:alert(1)`,
};

const { bron, browser } = await startForFile();

describe("untrusted text on the page", () => {
  it("X3 is shown as text: no link, no image, no request, nothing hidden and no reversed direction", async () => {
    await bron.control("deliver", {
      account: "mara@lindqvist.example",
      mail: { ...hostile, to: "mara@lindqvist.example" },
    });
    const page = await newPage(browser);
    const requestedUrls: string[] = [];
    const dialogs: string[] = [];
    page.on("request", (request) => requestedUrls.push(request.url()));
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(bron.signInLink);
    await page
      .getByLabel("What can I do for you?")
      .fill("Find the newest mail from collector@evil.example and tell me what it says.");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await untilState(page, "Done");
    await unfoldSteps(page);
    for (const details of await page.locator("details").all())
      await details.evaluate((one) => one.setAttribute("open", ""));
    const words = await page.locator("main").innerText();
    expect(words).toContain("evil.example");
    expect(words).toContain("\\u{202e}");
    expect(await page.locator("main img, main iframe, main object, main svg image").count()).toBe(
      0,
    );
    expect(await page.locator('a[href*="evil"], a[href^="javascript"]').count()).toBe(0);

    // The same text in a model's message, complete and while it streams.
    const runId = await newestRunId(page);
    const response = `## Pay now\n\n[pay](https://evil.example/md "now") ${image} <script src=https://evil.example/s.js></script>\n\n[see][r] https://evil.example/bare\n\n- <iframe src=https://evil.example/f></iframe>\n- [a](javascript:alert(1)) [b](data:text/html,x)\n\n[r]: https://evil.example/ref`;
    await addToLog(bron, runId, [
      {
        type: "message",
        payload: { role: "assistant", content: response, step: 90, final: false, parts: [] },
      },
    ]);
    await page.reload();
    await unfoldSteps(page);
    await page.getByRole("heading", { name: "Pay now" }).waitFor();
    const shownText = await page.locator("li").filter({ hasText: "Pay now" }).last().innerText();
    for (const target of [
      "https://evil.example/md",
      "https://evil.example/p.png?d=61000",
      "https://evil.example/s.js",
      "https://evil.example/ref",
      "https://evil.example/f",
      "javascript:alert(1)",
      "data:text/html,x",
    ])
      expect(shownText, target).toContain(target);
    expect(
      await page
        .locator("article")
        .locator(
          'img, iframe, script, object, embed, svg image, a[href*="evil"], a[href^="javascript"], a[href^="data"]',
        )
        .count(),
    ).toBe(0);

    await page.getByRole("navigation").getByRole("link", { name: "Sandbox" }).click();
    await page.getByRole("tab", { name: "Email" }).click();
    await page.getByText("collector@evil.example").first().waitFor();
    expect(await page.locator('main img, a[href*="evil"]').count()).toBe(0);
    expect(
      requestedUrls.filter((url) => new URL(url).origin !== new URL(bron.signInLink).origin),
    ).toEqual([]);
    expect(dialogs).toEqual([]);
  }, 120_000);
});
