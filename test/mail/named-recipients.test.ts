import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { rightReader } from "../attacks/support/right-reading.ts";
import { openMailHarness, ownerId, type MailHarness } from "./support/mail-harness.ts";

/** Whom the model writes to, whatever the owner said. */
let recipient = "";

describe("a recipient whom the owner calls by name", () => {
  let harness: MailHarness;
  beforeAll(async () => {
    harness = await openMailHarness(inject("postgresUrl"), {
      script: ({ turn, options }) =>
        turn > 0
          ? { text: "Done." }
          : {
              calls: [
                {
                  tool: JSON.stringify(options.prompt).includes("Draft")
                    ? "gmail_draft_create"
                    : "gmail_send",
                  input: { to: [recipient], subject: "Hello", bodyText: "Hi" },
                },
              ],
            },
      reader: rightReader((text) => {
        const name = /^Tell (.+) about it$/.exec(text)?.[1];
        return name === undefined ? [] : [{ effect: "send_mail", people: [name] }];
      }),
    });
    const client = harness.runtime.clientFor(ownerId);
    await client.call("POST /api/permissions/trust", { body: { level: "autonomous" } });
  });
  afterAll(async () => await harness.close());

  const tell = async (name: string, to: string) => {
    recipient = to;
    return (await harness.runUntilParked(`Tell ${name} about it`)).status;
  };

  /** Sends a mail as the owner does in their mail program. */
  const writeByHand = async (to: string, { inReplyTo = "" } = {}) => {
    recipient = "someone@x.example";
    const { id } = await harness.runUntilParked("Draft it");
    await harness.approve(id);
    await harness.waitUntilParked(id);
    const [draft] = await harness.simulator.control.drafts(harness.owner);
    if (!draft) throw new Error("There is no draft");
    await harness.simulator.control.editDraft(draft, {
      from: harness.owner,
      to: [to],
      cc: [],
      subject: "By hand",
      text: "Hello",
      inReplyTo,
      references: inReplyTo === "" ? [] : [inReplyTo],
      attachments: [],
    });
    await harness.simulator.control.sendDraft(draft);
  };

  it("X3 is the only person of that name to whom the owner wrote first", async () => {
    expect(await tell("Jonas", "jonas@lindqvist.example")).toBe("completed");
    expect(await tell("Jonas Keller", "jonas@lindqvist.example")).toBe("completed");
    expect(await tell("Anna Schröder", "a.schroeder@velo-nord.example")).toBe("completed");
    expect(await tell("Jonas", "priya@lindqvist.example")).toBe("awaiting_confirmation");
    expect(await tell("Mallory", "jonas@lindqvist.example")).toBe("awaiting_confirmation");
  });

  it("X3 is not someone with that name to whom the owner only replied, or Bron wrote", async () => {
    await writeByHand("Priya Raman <priya@evil.example>", { inReplyTo: "<1@evil.example>" });
    expect(await tell("Priya", "priya@evil.example")).toBe("awaiting_confirmation");
    expect(await tell("Priya", "priya@lindqvist.example")).toBe("completed");
  });

  it("X3 is asked about once two people have that name", async () => {
    await writeByHand("Felix Kern <felix.kern@x.example>");
    expect(await tell("Felix Kern", "felix.kern@x.example")).toBe("completed");
    expect(await tell("Felix", "felix.kern@x.example")).toBe("awaiting_confirmation");
    expect(await tell("Felix Baum", "felix@lindqvist.example")).toBe("completed");
  });
});
