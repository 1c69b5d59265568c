import { describe, expect, it } from "vitest";
import { addToLog, inStore } from "./support/in-store.ts";
import { startForFile } from "./support/start-for-file.ts";
import { newestRunId, unfoldSteps } from "./support/task-page.ts";

const shots = process.env["BRON_SCREENSHOTS"];
const actionId = "0b7d9a52-7c1c-4b0e-9d3b-3a8f3c1d2e4f";
const digestOf = (size: number) =>
  `'sha256:' || encode(sha256(convert_to(repeat('long ', ${size}), 'UTF8')), 'hex')`;

const { bron, signedInPage } = await startForFile();
const page = await signedInPage();

describe("the page of a run at work", () => {
  let runId: string;
  const screenshot = async (name: string) => {
    if (shots === undefined) return;
    for (const scheme of ["light", "dark"] as const)
      for (const width of [1280, 390, 320]) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 800 });
        await page.screenshot({ path: `${shots}/${name}-${scheme}-${width}.png` });
      }
    await page.setViewportSize({ width: 1280, height: 800 });
  };
  /** Leaves the run to this test, as if another process advanced it: its log ends here. */
  const continueElsewhere = async (status: string, lastSeq: number) => {
    await inStore(bron, `delete from run_log where run_id = $1 and seq > $2`, [runId, lastSeq]);
    await inStore(
      bron,
      `update runs set status = $2, last_seq = (select max(seq) from run_log where run_id = $1), finished_at = null, runnable = false, lease_owner = null, lease_until = null where id = $1`,
      [runId, status],
    );
  };
  const stream = async (fields: { step: number; thoughts?: object; progress?: object }) => {
    await inStore(
      bron,
      `insert into partial_texts (run_id, owner_id, step, attempt, text, thoughts, progress, revision)
       select id, owner_id, $2, 1, '', $3, $4, extract(epoch from clock_timestamp()) * 1000 from runs where id = $1
       on conflict (run_id) do update set thoughts = excluded.thoughts, progress = excluded.progress, revision = excluded.revision`,
      [
        runId,
        fields.step,
        JSON.stringify(fields.thoughts ?? null),
        JSON.stringify(fields.progress ?? null),
      ],
    );
    await inStore(bron, "select pg_notify('bron_changes', $1)", [
      JSON.stringify(["another process", [[runId, -1]]]),
    ]);
  };
  const startTask = async () => {
    await page.goto(new URL("/", page.url()).href);
    await page.getByLabel("What can I do for you?").fill("What is 6 * 7?");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.locator("article header").getByText("Done", { exact: true }).waitFor();
    runId = await newestRunId(page);
  };

  it("RT5 BR2 folds the thoughts of a model that another process calls", async () => {
    await startTask();
    await continueElsewhere("planning", 4);
    await page.reload();
    const thinking = page.locator("summary", { hasText: "Thinking…" });
    await page.getByText("Working…").waitFor();
    await stream({ step: 1, thoughts: { from: 0, text: "I should multiply <b>six</b>" } });
    await thinking.waitFor();
    expect(await page.getByText("I should multiply").isVisible()).toBe(false);
    await screenshot("thoughts-folded");
    await thinking.focus();
    await page.keyboard.press("Enter");
    await page.getByText("I should multiply <b>six</b>").waitFor();
    await stream({ step: 1, thoughts: { from: 0, text: "I should multiply <b>six</b> by 7." } });
    await page.getByText("by 7.").waitFor();
    await screenshot("thoughts-open");
    // A page that is opened later starts with the current state.
    await page.reload();
    await thinking.click();
    await page.getByText("by 7.").waitFor();
  }, 120_000);

  it("RT5 BR2 shows how far a tool is under its step", async () => {
    await startTask();
    const response = await page.request.get(`${bron.url}/api/runs/${runId}/events`);
    const { events } = (await response.json()) as {
      events: { seq: number; type: string; payload: { phase?: string; actionId?: string } }[];
    };
    const start = events.find(({ type, payload }) => type === "tool" && payload.phase === "start");
    await continueElsewhere("executing", start?.seq ?? 0);
    await page.reload();
    await page.getByText("Calculating").waitFor();
    const report = (message: string) =>
      stream({ step: 1, progress: [{ actionId: start?.payload.actionId, message }] });
    await report("1 of 40 pages");
    await page.getByText("1 of 40 pages").waitFor();
    await report("12 of 40 pages");
    await page.getByText("12 of 40 pages").waitFor();
    expect(await page.getByText("1 of 40 pages", { exact: true }).count()).toBe(0);
    await screenshot("progress");
  }, 120_000);

  it("BR2 shows and downloads the whole of a long output", async () => {
    await startTask();
    const size = 10_000;
    await inStore(
      bron,
      `insert into blobs (owner_id, digest, bytes) select owner_id, ${digestOf(size)}, convert_to(repeat('long ', ${size}), 'UTF8') from runs where id = $1`,
      [runId],
    );
    const name = "web_fetch.txt";
    const { createHash } = await import("node:crypto");
    const digest = `sha256:${createHash("sha256").update("long ".repeat(size)).digest("hex")}`;
    await addToLog(bron, runId, [
      { type: "tool", payload: { phase: "start", actionId, name: "web_fetch", attempt: 1 } },
      {
        type: "artifact",
        payload: {
          artifactId: actionId,
          kind: "tool_output",
          name,
          mediaType: "text/plain",
          digest,
          sizeBytes: size * 5,
        },
      },
      {
        type: "tool",
        payload: {
          phase: "end",
          actionId,
          name: "web_fetch",
          outcome: "completed",
          output: "the start [9 of 10 characters are left out here.] the end",
          kept: {
            outputId: actionId,
            digest,
            name,
            mediaType: "text/plain",
            sizeBytes: size * 5,
            characters: size * 5,
          },
        },
      },
    ]);
    await page.reload();
    await unfoldSteps(page);
    await page.getByText("Read a web page").click();
    await page.getByText("the start and the end of 50,000 characters").waitFor();
    await screenshot("long-output");
    await page.getByRole("button", { name: "Show full output" }).click();
    const whole = page.getByLabel("Full output");
    expect(await whole.textContent()).toBe("long ".repeat(size));
    await screenshot("whole-output");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download output" }).click();
    expect((await download).suggestedFilename()).toBe(name);
    // The artifact is shown by its step, not as a file of its own.
    await page.getByRole("link", { name: `Download ${name}` }).waitFor();
    expect(await page.getByRole("button", { name: `Preview ${name}` }).count()).toBe(0);
  }, 120_000);
});
