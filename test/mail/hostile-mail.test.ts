import type { JsonObject } from "@bron/protocol";
import { isFullSuite, type Script } from "@bron/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openSignInHarness, type SignInHarness } from "./support/sign-in-harness.ts";

const owner = "local";
const nasty = fc.constantFrom(
  "\r\nBcc: mallory@evil.example",
  "\n",
  "\u202E",
  "=?utf-8?Q?Hidden?=",
  '"',
  "\\",
  ",",
  ";",
  "(x)",
  "@",
  "é",
  "日本語",
  "🙂",
  "  ",
  "а",
  "Eva",
  "Berg",
  "–",
);
const words = fc.array(nasty, { maxLength: 3 }).map((deps) => deps.join(" "));
const plain = fc.constantFrom(
  "eva@x.example",
  "otto@y.example",
  "jonas@lindqvist.example",
  "priya@lindqvist.example",
  "p.q+r@sub.z.example",
);
const address = fc.oneof(
  { weight: 4, arbitrary: plain },
  {
    weight: 3,
    arbitrary: fc.tuple(words, plain).map(([name, one]) => `${JSON.stringify(name)} <${one}>`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(plain, nasty, plain)
      .map(([one, between, other]) => `${one}${between}${other}`),
  },
);
const mail = fc.record({
  to: fc.array(address, { minLength: 1, maxLength: 3 }),
  cc: fc.array(address, { maxLength: 2 }),
  bcc: fc.array(address, { maxLength: 2 }),
  subject: words,
  bodyText: fc.oneof(words, fc.string({ unit: "grapheme" })),
});
const how = fc.constantFrom("gmail_send", "gmail_draft_create");

describe("hostile text in a mail that is approved and sent", () => {
  let harness: SignInHarness;
  beforeAll(async () => {
    // The task is the tool call as JSON. A draft is sent once it exists.
    const script: Script = ({ options }) => {
      const task = options.prompt.findLast(({ role }) => role === "user");
      const { tool, input } = JSON.parse(
        task?.role === "user"
          ? task.content.map((part) => (part.type === "text" ? part.text : "")).join("")
          : "{}",
      ) as { tool: string; input: JsonObject };
      const last = options.prompt.at(-1);
      const result =
        last?.role === "tool"
          ? last.content.find((part) => part.type === "tool-result")
          : undefined;
      if (!result) return { calls: [{ tool, input }] };
      const draftId =
        result.output.type === "json" && result.toolName === "gmail_draft_create"
          ? (result.output.value as { draftId: string }).draftId
          : undefined;
      return draftId === undefined
        ? { text: "That is all." }
        : { calls: [{ tool: "gmail_draft_send", input: { draftId } }] };
    };
    // The owner's words name no one, so that no name is looked up, and every mail needs an approval.
    const reader = () => ({ asks: [], prohibitions: [] });
    harness = await openSignInHarness(inject("postgresUrl"), script, { reader });
    await harness.connect(owner);
  });
  afterAll(async () => await harness.close());

  it("X1 BR12 reaches exactly the recipients that were shown, according to the simulator's record", async () => {
    const queue = fc.sample(fc.record({ tool: how, input: mail }), isFullSuite ? 200 : 40);
    const failures: string[] = [];
    let sent = 0;
    const take = async () => {
      for (let next = queue.shift(); next; next = queue.shift())
        await send(next).then(
          (count) => (sent += count),
          (error: unknown) =>
            failures.push(
              `${JSON.stringify(next)}: ${error instanceof Error ? error.message : String(error)}`,
            ),
        );
    };
    await Promise.all(Array.from({ length: 6 }, take));
    expect(failures.join("\n\n")).toBe("");
    expect(sent).toBeGreaterThan(5);
    expect(harness.simulator.record().sent).toHaveLength(sent);
    expect(
      harness.simulator
        .record()
        .sent.flatMap(({ recipients }) => recipients.envelope)
        .filter((one) => one.includes("evil")),
    ).toEqual([]);
  }, 60_000);

  async function send(call: { tool: string; input: JsonObject }): Promise<number> {
    const client = harness.runtime.clientFor(owner);
    const { id, status } = await harness.runUntilParked(owner, JSON.stringify(call));
    const findPending = async () => {
      const [pending] = await client.list("GET /api/approvals", { runId: id, pending: "true" });
      return pending;
    };
    const approveShown = async (shown: { readonly id: string; readonly digest: string }) => {
      await client.call("POST /api/approvals/:id/approve", {
        params: { id: shown.id },
        body: { digest: shown.digest },
      });
      await harness.waitUntilParked(owner, id);
    };
    let approval = await findPending();
    if (approval?.tool === "gmail_draft_create") {
      await approveShown(approval);
      approval = await findPending();
    }
    if (!approval) {
      expect(status).toBe("completed");
      return 0;
    }
    const shown = approval.prepared as {
      to: string[];
      cc: string[];
      bcc: string[];
      subject: string;
      raw: string;
    };
    await approveShown(approval);
    const raw = Buffer.from(shown.raw, "base64url").toString("base64");
    const found = harness.simulator.record().sent.filter((one) => one.raw === raw);
    expect(found).toHaveLength(1);
    const bare = (list: readonly string[]) =>
      list.map((one) => (/<([^<>]*)>$/.exec(one)?.[1] ?? one).toLowerCase());
    expect(found[0]).toMatchObject({
      recipients: { to: bare(shown.to), cc: bare(shown.cc), bcc: bare(shown.bcc) },
    });
    expect(new Set(found[0]?.recipients.envelope)).toEqual(
      new Set(bare([...shown.to, ...shown.cc, ...shown.bcc])),
    );
    expect(found[0]?.subject.trim()).toBe(shown.subject.trim());
    return 1;
  }
});
