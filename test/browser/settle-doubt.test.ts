import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { addToLog, inStore } from "./support/in-store.ts";
import { newPage } from "./support/new-page.ts";
import { startForFile } from "./support/start-for-file.ts";
import { newestRunId } from "./support/task-page.ts";
import { untilState } from "./support/until-state.ts";

const { bron, browser } = await startForFile();

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
    const page = await newPage(browser);
    await page.goto(bron.signInLink);
    await page.getByLabel("What can I do for you?").fill("What is 6 * 7?");
    await page.getByRole("button", { name: "Start", exact: true }).click();
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
