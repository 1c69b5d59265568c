import type { JsonValue, NewEvent } from "@bron/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { auditEntries } from "./audit-entries.ts";

const ids = { effectId: "e", actionId: "a", tool: "gmail_send", digest: "sha256:1" };
const effect = (payload: Partial<Extract<NewEvent, { type: "effect" }>["payload"]>): NewEvent => ({
  type: "effect",
  payload: { ...ids, state: "done", ...payload },
});

describe("audit entries for events", () => {
  it("RT12 records an effect's recipients and subject, and not its content", () => {
    const prepared = {
      account: "me@example.com",
      to: ["eva@example.com"],
      cc: [],
      bcc: ["max@example.com"],
      subject: "Invoice",
      bodyText: "secret words",
      raw: "c2VjcmV0",
      mark: "m",
      attachments: [{ filename: "secret.pdf" }],
    };
    expect(
      auditEntries([effect({ state: "awaiting_confirmation", prepared, preview: "secret words" })]),
    ).toEqual([
      {
        what: "effect.awaiting_confirmation",
        by: "bron",
        ...ids,
        details: {
          account: "me@example.com",
          to: ["eva@example.com"],
          bcc: ["max@example.com"],
          subject: "Invoice",
        },
      },
    ]);
  });

  it("RT12 records the code of an error and not its message", () => {
    expect(
      auditEntries([
        effect({
          state: "failed",
          attempt: 2,
          error: { code: "tool_failed", message: "Bearer ya29.secret" },
          outcome: "secret",
        }),
      ]),
    ).toEqual([
      { what: "effect.failed", by: "bron", ...ids, details: { attempt: 2, error: "tool_failed" } },
    ]);
  });

  it("RT12 records who changed an approval", () => {
    const approval = (
      state: "pending" | "approved" | "expired" | "superseded",
      by?: string,
    ): NewEvent => ({
      type: "approval",
      payload: {
        ...ids,
        approvalId: "p",
        state,
        ...(by === undefined ? { reason: "secret words" } : { by, reason: "fine" }),
        preview: "secret words",
      },
    });
    const entries = auditEntries(
      [
        approval("pending"),
        approval("approved", "local"),
        approval("expired"),
        approval("superseded"),
      ],
      ["q"],
    );
    expect(entries.map(({ what, by, approvalId }) => [what, by, approvalId])).toEqual([
      ["approval.used", "bron", "q"],
      ["approval.requested", "bron", "p"],
      ["approval.approved", "owner", "p"],
      ["approval.expired", "system", "p"],
      ["approval.superseded", "bron", "p"],
    ]);
    expect(JSON.stringify(entries)).not.toContain("secret");
    expect(entries[2]?.details).toEqual({ reason: "fine" });
  });

  it("RT12 records only the listed fields of a prepared form, whatever its shape", () => {
    const marked = fc
      .jsonValue()
      .map(
        (value) =>
          JSON.parse(
            JSON.stringify({ wrapped: value, bodyText: "SECRET", nested: { to: "SECRET" } }),
          ) as JsonValue,
      );
    const prepared = fc.oneof(
      marked,
      fc.record({
        to: fc.oneof(fc.string(), fc.array(fc.jsonValue() as fc.Arbitrary<JsonValue>), marked),
        subject: marked,
        body: fc.constant("SECRET"),
      }),
    );
    fc.assert(
      fc.property(prepared, (value: JsonValue) => {
        const [entry] = auditEntries([effect({ prepared: value })]);
        expect(JSON.stringify(entry)).not.toContain("SECRET");
        expect(JSON.stringify(entry).length).toBeLessThan(60_000);
      }),
    );
  });
});
