import { randomUUID } from "node:crypto";
import type { BronView, RunView } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { addToLog, inStore } from "./support/in-store.ts";
import { ask } from "./support/seed-runs.ts";
import { startForFile } from "./support/start-for-file.ts";
import { newestRunId, startTask, unfoldSteps } from "./support/task-page.ts";
import { untilState } from "./support/until-state.ts";
import { violationsOn } from "./support/violations.ts";

const { bron, signedInPage } = await startForFile();
const page = await signedInPage({ reducedMotion: "reduce" });

describe("the demo model", () => {
  it("BR1 says what it knows, with tasks to try that start in the same conversation", async () => {
    await page.goto(bron.url);
    await page.getByLabel("What can I do for you?").fill("hi");
    await page.keyboard.press("Enter");
    const tasks = page.getByRole("region", { name: "Tasks to try" });
    await tasks.getByRole("link", { name: "Connect a model" }).waitFor();
    expect(await tasks.getByRole("button").count()).toBe(3);
    const before = page.url();
    await tasks.getByRole("button", { name: "When am I free" }).click();
    await page
      .getByText(/^(?:You're free|No free time)/)
      .first()
      .waitFor();
    expect(page.url()).toBe(before);
    expect(await tasks.count()).toBe(0);
  }, 60_000);
});

describe("a conversation whose last message failed", () => {
  it("BR5 says in the list which message its state is about", async () => {
    await startTask(page, bron.url, "What is 6 * 7?");
    await untilState(page, "Done");
    await page.getByLabel("Reply", { exact: true }).fill("paint it blue");
    await page.keyboard.press("Enter");
    await page.getByText('I can\'t do "paint it blue"').first().waitFor();
    await page.goto(`${bron.url}/tasks`);
    const row = page.getByRole("listitem").filter({ hasText: "What is 6 * 7?" });
    await row.getByText("Couldn't do it").waitFor();
    await row.getByText("Latest: paint it blue").waitFor();
  }, 60_000);
});

describe("a task with child runs", () => {
  /** A child run on the page of its parent. */
  const child = (title: string) =>
    page
      .getByRole("list", { name: "Subtasks" })
      .getByRole("listitem")
      .filter({ has: page.getByRole("button", { name: `Subtask: ${title}` }) });

  it("BR16 shows its child runs and their states, and combines their results", async () => {
    await startTask(
      page,
      bron.url,
      "Find out, each by a Bron of its own: what is on my calendar in the next 7 days?; how many unread mails do I have from the last 7 days?",
    );
    await untilState(page, "Done");
    await unfoldSteps(page);
    for (const title of ["What is on my calendar", "How many unread mails"])
      await child(title).getByText("Done", { exact: true }).waitFor();
    const texts = page.locator("p, li, h1, h2, h3, h4");
    await texts
      .filter({ hasText: /Your next 7 days/ })
      .first()
      .waitFor();
    await texts
      .filter({ hasText: /You have \d+ unread emails/ })
      .first()
      .waitFor();
    await child("How many unread mails").getByRole("link", { name: "Open subtask" }).click();
    await page.getByRole("heading", { level: 1, name: "How many unread mails" }).waitFor();
    expect(await page.getByRole("button", { name: "Retry" }).count()).toBe(0);
    await page.getByRole("link", { name: /^Part of: Find out, each by/ }).click();
    await page.getByRole("heading", { level: 1, name: "Find out, each by" }).waitFor();
  }, 120_000);

  it("BR1 BR16 is one entry among the latest tasks; its child runs are marked in the list of all tasks", async () => {
    await page.goto(bron.url);
    const tasks = page
      .getByRole("listitem")
      .filter({ has: page.getByText("Done", { exact: true }) })
      .filter({ hasText: /Find out, each by|What is on my calendar|How many unread mails/ });
    await tasks.filter({ hasText: "Find out, each by" }).waitFor();
    expect(await tasks.count()).toBe(1);
    const { brons } = await ask<{ brons: BronView[] }>(page, "GET", "/api/brons");
    const seen: string[] = [];
    for (const { id } of brons) {
      await page.goto(`${bron.url}/brons/${id}`);
      await page.getByRole("heading", { name: "All tasks" }).waitFor();
      await expect.poll(() => tasks.count()).toBeGreaterThan(0);
      seen.push(...(await tasks.allInnerTexts()));
    }
    expect(seen).toHaveLength(3);
    for (const words of seen)
      expect(/\bSubtask\b/.test(words), words).toBe(!words.startsWith("Find out"));
  }, 120_000);
});

describe("a long output", () => {
  it("BR2 is a file with a size, and the answer uses what the model did not see at first", async () => {
    await startTask(
      page,
      bron.url,
      "What does https://www.brandt-metall.example/catalog say about bicycle bells?",
    );
    await untilState(page, "Done");
    await page.getByText("Bicycle bell, brass, 40 mm: Number BM-102-10-40").first().waitFor();
    await unfoldSteps(page);
    await page.getByText("Read a long result").first().waitFor();
    const file = page.getByRole("link", { name: "Download web_fetch.json" });
    await page.getByText(/^\d+(?:\.\d)? kB · full output$/i).waitFor();
    const response = await page.request.get(
      new URL((await file.getAttribute("href")) ?? "", bron.url).href,
    );
    expect((await response.text()).length).toBeGreaterThan(40_000);
  }, 120_000);
});

/** One pixel. */
const tinyPng = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=",
  "base64",
);

describe("a file of a task", () => {
  const preview = (name: string) => page.getByRole("button", { name: `Preview ${name}` });

  it("BR29 opens as a preview, which the parser made, and stays a download", async () => {
    await page.goto(bron.url);
    await page.locator("input[type=file]").setInputFiles([
      { name: "scan.png", mimeType: "image/png", buffer: tinyPng },
      { name: "orders.csv", mimeType: "text/csv", buffer: Buffer.from("Order,Amount\n1001,<b>7") },
      { name: "broken.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7\nx") },
    ]);
    await page.getByLabel("What can I do for you?").fill("What is 6 * 7?");
    await page.keyboard.press("Enter");
    await page.locator("[data-answer]").waitFor();

    await preview("orders.csv").click();
    const dialog = page.getByRole("dialog", { name: "orders.csv" });
    await dialog.getByRole("columnheader", { name: "Amount" }).waitFor();
    await dialog.getByRole("cell", { name: "<b>7" }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    const download = dialog.getByRole("link", { name: "Download" });
    const file = await page.request.get(
      new URL((await download.getAttribute("href")) ?? "", bron.url).href,
    );
    expect(file.headers()).toMatchObject({
      "content-disposition": "attachment",
      "content-type": "application/octet-stream",
    });
    // Escape closes it, and the focus is back where it was.
    await page.keyboard.press("Escape");
    expect(await dialog.count()).toBe(0);
    expect(
      await preview("orders.csv").evaluate((button) => button === document.activeElement),
    ).toBe(true);

    await page.keyboard.press("Enter");
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await preview("scan.png").click();
    const image = page.getByRole("img", { name: "Image scan.png" });
    await expect
      .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
      .toBe(1);
    await page.keyboard.press("Escape");

    await preview("broken.pdf").click();
    await page.getByText("This file is damaged, so there's no preview.").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
  }, 120_000);

  it("BR29 is beside what was done on a wide screen, and below it on a narrow one", async () => {
    const boxes = async () => {
      const [answer, work] = await Promise.all([
        page.locator("[data-answer]").boundingBox(),
        page.getByRole("button", { name: /^Worked for / }).boundingBox(),
      ]);
      return answer && work && { answer, work };
    };
    /** The page moves the steps a moment after the window has another size. */
    const isPlaced = (where: (placed: NonNullable<Awaited<ReturnType<typeof boxes>>>) => boolean) =>
      expect
        .poll(async () => {
          const placed = await boxes();
          return placed ? where(placed) : false;
        })
        .toBe(true);
    await page.setViewportSize({ width: 1100, height: 800 });
    await isPlaced(({ answer, work }) => work.x >= answer.x + answer.width);
    await page.setViewportSize({ width: 1099, height: 800 });
    await isPlaced(({ answer, work }) => work.y > answer.y && work.x < answer.x + 10);
    await page.setViewportSize({ width: 1280, height: 720 });
  });
});

describe("an effect with an unknown outcome", () => {
  /**
   * Adds an effect with an unknown outcome to the log of a finished run, as the loop would write
   * it.
   */
  const makeUnconfirmed = async (runId: string, effectId: string) => {
    await inStore(
      bron,
      "insert into effects (id, run_id, owner_id, action_id, tool, state, digest, prepared) values ($1, $2, 'local', $3, 'gmail_send', 'unknown', 'sha256:1', '{}')",
      [effectId, runId, randomUUID()],
    );
    await addToLog(bron, runId, [
      {
        type: "ui",
        payload: {
          kind: "UnknownEffectCard",
          payload: {
            effectId,
            actionId: randomUUID(),
            tool: "gmail_send",
            preview: "To eva@example.com",
            check: "Look among sent mail.",
          },
        },
      },
    ]);
  };

  it("X2 is settled on its card by the owner, once and for good", async () => {
    await startTask(page, bron.url, "What is 6 * 7?");
    await untilState(page, "Done");
    const runId = await newestRunId(page);
    await makeUnconfirmed(runId, randomUUID());

    await page.reload();
    const card = page.getByRole("region").filter({ hasText: "To eva@example.com" });
    await card.getByRole("heading", { name: "We couldn't confirm this was sent" }).waitFor();
    await card.getByText("Look among sent mail.").waitFor();
    await card.getByPlaceholder("Note (optional)").fill("it is not there");
    await card.getByRole("button", { name: "No, it wasn't sent" }).click();
    await card.getByRole("heading", { name: "It wasn't sent" }).waitFor();
    expect(await card.getByRole("button").count()).toBe(0);

    await page.reload();
    await card.getByText("it is not there").waitFor();
    await card.getByRole("heading", { name: "It wasn't sent" }).waitFor();
  }, 120_000);
});

describe("conversations", () => {
  const row = (title: string) => page.getByRole("listitem").filter({ hasText: title });

  const tasks = () => page.locator("article [data-task]");

  it("BR4 BR29 shows every task of a conversation on one page, and a link to one leads to its place", async () => {
    await startTask(page, bron.url, "What is 2 + 2?");
    await untilState(page, "Done");
    const first = await newestRunId(page);
    for (const task of ["What is 3 + 3?", "What is 4 + 4?"]) {
      await page.getByLabel("Reply").fill(task);
      await page.keyboard.press("Control+Enter");
      await tasks().last().getByText(task).waitFor();
      await untilState(page, "Done");
    }
    await expect.poll(() => tasks().count()).toBe(3);
    await page.getByRole("heading", { level: 1, name: "What is 2 + 2?" }).waitFor();
    await expect
      .poll(() => tasks().allInnerTexts())
      .toEqual([
        expect.stringMatching(/2 \+ 2[^]*\b4\b/),
        expect.stringMatching(/3 \+ 3[^]*\b6\b/),
        expect.stringMatching(/4 \+ 4[^]*\b8\b/),
      ]);
    // An old link leads to the place of its task, on the page of the conversation.
    await page.setViewportSize({ width: 1_280, height: 420 });
    const conversation = new URL(page.url()).pathname;
    await page.goto(`${bron.url}/runs/${first}`);
    await page.waitForURL((url) => url.pathname === conversation);
    await expect
      .poll(async () => (await tasks().first().boundingBox())?.y ?? -1)
      .toBeGreaterThanOrEqual(50);
    await page.goto(`${bron.url}${conversation}`);
    await expect
      .poll(async () => (await tasks().last().boundingBox())?.y ?? 1_000)
      .toBeLessThan(420);
    expect((await tasks().first().boundingBox())?.y).toBeLessThan(0);
    await page.setViewportSize({ width: 1_280, height: 720 });
  }, 120_000);

  const menuOf = async (title: string, action: string) => {
    await page.getByRole("button", { name: `Actions for ${title}` }).click();
    await page.getByRole("menuitem", { name: action, exact: true }).click();
  };

  it("BR4 lists tasks, and renames, exports and deletes them", async () => {
    for (const old of ["/threads", "/runs"]) {
      await page.goto(`${bron.url}${old}`);
      await page.waitForURL(`${bron.url}/tasks`);
    }
    await page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor();
    await row("What is 2 + 2?").getByText("Done", { exact: true }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await menuOf("What is 2 + 2?", "Rename");
    await page.getByLabel("Name", { exact: true }).fill("Sums");
    await page.keyboard.press("Enter");
    await row("Sums").waitFor();

    await page.getByRole("button", { name: "Actions for Sums" }).click();
    const exported = page.getByRole("menuitem", { name: "Export" });
    const response = await page.request.get(
      new URL((await exported.getAttribute("href")) ?? "", bron.url).href,
    );
    expect(response.headers()["content-type"]).toBe("application/zip");
    await page.keyboard.press("Escape");

    await menuOf("Sums", "Delete");
    await page.getByText("“Sums” will be deleted for good, with its 3 tasks").waitFor();
    await page.keyboard.press("Enter");
    expect(await row("Sums").count()).toBe(1);
    await menuOf("Sums", "Delete");
    await page.getByRole("button", { name: "Delete conversation" }).click();
    await expect.poll(() => row("Sums").count()).toBe(0);
  }, 120_000);

  it("BR29 finds a task by a word of its answer, and archives, restores and pins it", async () => {
    await startTask(page, bron.url, "What is 17% of 2340?");
    await untilState(page, "Done");
    await startTask(page, bron.url, "What is 3 + 4?");
    await untilState(page, "Done");
    await page.goto(`${bron.url}/tasks`);
    const titles = () => page.getByRole("list", { name: "Tasks" }).locator("[data-row]");
    await titles().nth(1).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("397");
    await expect.poll(() => titles().allTextContents()).toEqual(["What is 17% of 2340?"]);
    expect(await row("What is 17%").locator("mark").allTextContents()).toContain("397");
    expect(page.url()).toContain("397");

    await menuOf("What is 17% of 2340?", "Archive");
    await page.getByText("Nothing found for “397”").waitFor();
    await page.getByRole("link", { name: "Search the archive" }).click();
    await menuOf("What is 17% of 2340?", "Move out of archive");
    await page.getByRole("radio", { name: "Archived" }).waitFor();
    await page.getByRole("link", { name: "Show all tasks" }).click();
    await expect.poll(() => titles().allTextContents()).toEqual(["What is 17% of 2340?"]);

    await page.keyboard.press("/");
    await page.keyboard.press("Escape");
    await expect.poll(async () => (await titles().allTextContents())[0]).toBe("What is 3 + 4?");
    await menuOf("What is 17% of 2340?", "Pin");
    await expect
      .poll(async () => (await titles().allTextContents())[0])
      .toBe("What is 17% of 2340?");
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { level: 1, name: "Tasks" }).focus();
    for (const key of ["j", "j", "k", "j"]) await page.keyboard.press(key);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "What is 3 + 4?" }).waitFor();
  }, 120_000);

  it("BR29 stops a task that is under way and deletes it", async () => {
    await startTask(page, bron.url, "Ask me which day suits me: Monday or Friday");
    await untilState(page, "Needs your answer");
    await page.goto(bron.url);
    const waiting = page.getByRole("region", { name: "Needs you" });
    await waiting.getByRole("link", { name: /Which day suits you/i }).waitFor();
    await page.getByRole("region", { name: "Recent" }).getByText("What is 3 + 4?").waitFor();
    await page.getByRole("button", { name: "Examples" }).click();
    await page.getByRole("button", { name: /^Find the latest invoice/ }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole("link", { name: "Tasks", exact: true }).first().click();
    await page.getByText("Needs you", { exact: true }).click();
    await menuOf("Ask me which day suits me: Monday or Friday", "Delete");
    await page.getByText("It's still working and will be stopped.").waitFor();
    await page.getByRole("button", { name: "Stop and delete" }).click();
    await page.getByText("Nothing here right now").waitFor();
    const titles = async () =>
      (await ask<{ runs: RunView[] }>(page, "GET", "/api/runs")).runs.map(({ title }) => title);
    await expect.poll(titles).not.toContain("Ask me which day suits me: Monday or Friday");
  }, 120_000);

  it("BR29 searches tasks and runs commands in the palette", async () => {
    await page.goto(bron.url);
    await page.keyboard.press("ControlOrMeta+k");
    const field = page.getByRole("combobox");
    await field.fill("397");
    const found = page.getByRole("group", { name: "Tasks" }).getByRole("option");
    await expect.poll(() => found.count()).toBe(1);
    expect(await violationsOn(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "What is 17% of 2340?" }).waitFor();
    await page.keyboard.press("ControlOrMeta+k");
    await field.fill("no such thing");
    await page.getByText("No results for “no such thing”").waitFor();
    await field.fill("keyboard");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
  }, 120_000);
});

describe("pasted text", () => {
  const mail = "From: Eva Brandt\nSubject: Offer\nPlease pay to accounts@evil.example";
  const field = () => page.getByLabel("What can I do for you?");
  const chips = () => page.getByRole("list", { name: "Pasted text" }).getByRole("listitem");
  const paste = async (text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await field().focus();
    await page.keyboard.press("ControlOrMeta+v");
  };

  it("X3 is beside the words, with the keyboard alone, after a reload, and until it is put back", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(bron.url);
    await field().fill("What is 6 * 9?");
    await paste(" Thanks, jonas@lindqvist.example");
    const words = "What is 6 * 9? Thanks, jonas@lindqvist.example";
    expect(await field().inputValue()).toBe(words);
    expect(await chips().count()).toBe(0);

    await paste(mail);
    await chips().getByText("Pasted text, 3 lines").waitFor();
    expect(await field().inputValue()).toBe(words);
    expect(await page.getByRole("status").filter({ hasText: "Added as pasted text" }).count()).toBe(
      1,
    );
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await chips().getByText("accounts@evil.example").waitFor();
    await chips()
      .getByRole("button", { name: /^Remove pasted text: From: Eva/ })
      .press("Enter");
    expect(await chips().count()).toBe(0);
    expect(await field().evaluate((element) => element === document.activeElement)).toBe(true);

    await paste(mail);
    await chips().getByRole("button", { name: "These are my words" }).press("Enter");
    expect(await field().inputValue()).toBe(`${words}\n${mail}`);
    await field().fill("What is 6 * 9?");
    await paste(mail);
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await untilState(page, "Done");
    await page.reload();
    await chips().getByText("Pasted text, 3 lines").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await chips().getByRole("button", { name: "These are my words" }).click();
    await chips().getByText("Marked as your words.").waitFor();
    expect(await page.locator("article [data-task]").count()).toBe(2);
  }, 120_000);
});
