import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { ApprovalView } from "@bron/protocol";
import { createOldDatabase } from "../support/old-home.ts";
import { openMailHarness, ownerId, type MailHarness } from "./support/mail-harness.ts";

/** What the version of Bron that prepared the emails showed to the owner. */
const shown = [
  {
    to: "eva@elsewhere.example",
    digest: "sha256:c1231ed6f0e0cc3ea25cd50b809f3a39c8f3b26a021da21cedb8c65b133c34ed",
  },
  {
    to: "max@elsewhere.example",
    digest: "sha256:42e7b9c5b5bfcbc0f7f74ce8ab953dd41fc7b3ea9477f4345a741a5c2c9c063f",
  },
].map(({ to, digest }) => ({
  tool: "gmail_send",
  state: "pending",
  digest,
  preview: `From: mara@lindqvist.example\nTo: ${to}\nSubject: The old numbers\n\nHere they are: 414 and 415.\n\nMara`,
  reasons: ["It changes something outside Bron, and you are asked about every such change."],
  prepared: { to: [to], cc: [], bcc: [], subject: "The old numbers" },
}));

describe("a home at schema 0019 with parked approvals", () => {
  let harness: MailHarness;
  beforeAll(async () => {
    harness = await openMailHarness(inject("postgresUrl"), {
      script: () => ({ text: "It was sent." }),
      createDatabase: createOldDatabase,
    });
  });
  afterAll(async () => await harness.close());

  const pending = async (): Promise<readonly ApprovalView[]> =>
    await harness.runtime.clientFor(ownerId).list("GET /api/approvals", { pending: "true" });

  it("BR14 opens with both approvals as the owner saw them, and sends exactly the approved email once", async () => {
    const approvals = (await pending()).toSorted((a, b) => a.preview.localeCompare(b.preview));
    expect(approvals).toMatchObject(shown);
    expect(harness.simulator.record().sent).toEqual([]);
    const [approved, other] = approvals as [ApprovalView, ApprovalView];
    await harness.approve(approved.runId);
    expect(await harness.waitUntilParked(approved.runId)).toMatchObject({ status: "completed" });
    const { raw } = approved.prepared as { readonly raw: string };
    expect(harness.simulator.record().sent).toMatchObject([
      {
        by: "app",
        raw: Buffer.from(raw, "base64url").toString("base64"),
        recipients: { envelope: ["eva@elsewhere.example"] },
      },
    ]);
    expect(await pending()).toMatchObject([{ id: other.id }]);
  });

  it("BR14 sends nothing for an old approval that is denied", async () => {
    const [{ id, digest, runId }] = (await pending()) as [ApprovalView];
    const client = harness.runtime.clientFor(ownerId);
    await client.call("POST /api/approvals/:id/deny", { params: { id }, body: { digest } });
    expect(await harness.waitUntilParked(runId)).toMatchObject({ status: "completed", notDone: 1 });
    expect(harness.simulator.record().sent).toHaveLength(1);
  });
});
