import { defineTool, type Tool } from "@bron/core";
import { type ScriptedMessage, createLoopHarness, isFullSuite, longestTurnMs } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createGmailHarness } from "./gmail-harness.fixture.ts";
import { parseMime } from "./parse-mime.ts";
import { messageReadTool, threadReadTool } from "./tools/read.ts";
import { sendTool } from "./tools/send.ts";

const MB = 1024 * 1024;
/**
 * Other requests and heartbeats must not wait longer than 50 ms. `npm run test:crash` enforces that
 * limit. Even CPU time doubles on a machine whose cores are shared, so `npm test` only notices work
 * that is not split or not linear.
 */
const mostMs = isFullSuite ? 50 : 150;

function harnessOf(tools: readonly Tool[], answers: readonly ScriptedMessage[]) {
  return createLoopHarness({ tools, script: ({ turn }) => answers[turn] ?? { text: "Done." } });
}

/**
 * The best of up to three runs, because compilation or a large garbage collection may add to any of
 * them. One run below the limit is enough.
 */
async function leastOfThree(measure: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let runs = 0; runs < 3 && least >= mostMs; runs++) least = Math.min(least, await measure());
  return least;
}

describe("nothing blocks the event loop for long, measured in CPU time", () => {
  const htmlOf = (piece: string) =>
    Buffer.from(`<html><style>p{}</style>${piece.repeat((25 * MB) / piece.length)}`).toString(
      "base64url",
    );
  const mails = ["<", "<p>words &amp; more</p>\n", "<!--", "a@b.cc ", "\u0301\u0316"];

  it.each(mails)("reading a mail with 25 MB of HTML made of %j", async (piece) => {
    // Google's client parses the response before this.
    const data = htmlOf(piece);
    const gmail = createGmailHarness();
    gmail.messages.set("m", {
      id: "m",
      threadId: "t",
      internalDate: "0",
      payload: {
        mimeType: "text/html",
        headers: [{ name: "From", value: "a@b.example" }],
        body: { data },
      },
    });
    const longest = await leastOfThree(async () => {
      const harness = harnessOf(
        [messageReadTool(gmail.deps, "read")],
        [{ calls: [{ tool: "read", input: { messageId: "m" } }] }],
      );
      const run = await harness.create();
      const ms = await longestTurnMs(() => harness.advance(run.id));
      expect(await harness.results(run.id)).toMatchObject([
        { outcome: "completed", output: { text: expect.stringContaining("bytes were read)") } },
      ]);
      return ms;
    });
    expect(longest).toBeLessThan(mostMs);
  });

  it("reading a thread of 12 mails of 1 MB", async () => {
    const gmail = createGmailHarness();
    const data = Buffer.from("<p>words</p>".repeat(MB / 12)).toString("base64url");
    for (let id = 0; id < 12; id++)
      gmail.messages.set(`${id}`, {
        id: `${id}`,
        threadId: "t",
        internalDate: "0",
        payload: { mimeType: "text/html", body: { data } },
      });
    const tool = threadReadTool(gmail.deps, "read");
    expect(
      await leastOfThree(() =>
        longestTurnMs(() => tool.execute({ threadId: "t" }, gmail.context())),
      ),
    ).toBeLessThan(mostMs);
  });

  it.each(["a", "é", "a@b.cc,", "http://a.bc,", "éwww.1", "\u0301\u0316"])(
    "a result of 2 MB without a space made of %j",
    async (piece) => {
      const result = { text: piece.repeat((2 * MB) / piece.length) };
      const tool = defineTool({
        name: "look",
        description: "",
        input: z.object({}),
        execute: () => result,
      });
      const longest = await leastOfThree(async () => {
        const harness = harnessOf([tool], [{ calls: [{ tool: "look", input: {} }] }]);
        const run = await harness.create();
        const ms = await longestTurnMs(() => harness.advance(run.id));
        expect(await harness.run(run.id)).toMatchObject({ status: "completed" });
        return ms;
      });
      expect(longest).toBeLessThan(mostMs);
    },
  );

  it.each([
    ["http:// and 499,000 letters", `http://${"a".repeat(499_000)}`],
    ["http:// and 499,000 other letters", `http://${"é".repeat(499_000)}`],
    ["41,000 links", "http://a.bc ".repeat(41_000)],
    ["249,000 colons and slashes", ":/".repeat(249_000)],
  ])("preparing, judging, approving and sending a mail of 500 KB: %s", async (_, bodyText) => {
    const look = defineTool({
      name: "look",
      description: "",
      input: z.object({}),
      execute: () => ({ text: "from others" }),
    });
    const longest = await leastOfThree(async () => {
      const gmail = createGmailHarness();
      const harness = harnessOf(
        [look, sendTool(gmail.deps, "send")],
        [
          { calls: [{ tool: "look", input: {} }] },
          { calls: [{ tool: "send", input: { to: ["eva@x.example"], subject: "s", bodyText } }] },
        ],
      );
      const run = await harness.create();
      const before = await longestTurnMs(() => harness.advance(run.id));
      expect(await harness.run(run.id)).toMatchObject({ status: "awaiting_confirmation" });
      await harness.decide(run.id, true);
      const after = await longestTurnMs(() => harness.advance(run.id));
      expect(gmail.sent).toHaveLength(1);
      return Math.max(before, after);
    });
    expect(longest).toBeLessThan(mostMs);
  });
});

it("other work runs while a draft is parsed", async () => {
  const bytes = Buffer.from(
    `To: eva@x.example\r\nContent-Type: text/plain\r\n\r\n${"words\r\n".repeat(20_000)}`,
  );
  let turns = 0;
  const count = () => {
    turns++;
    turn = setImmediate(count);
  };
  let turn = setImmediate(count);
  expect(await parseMime(bytes)).toMatchObject({ to: [{ address: "eva@x.example" }] });
  clearImmediate(turn);
  expect(turns).toBeGreaterThanOrEqual(100);
});
