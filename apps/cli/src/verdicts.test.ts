import type { Client } from "@bron/client";
import type { ApprovalView } from "@bron/protocol";
import { expect, test } from "vitest";
import { verdicts, type Verdict } from "./verdicts.ts";

const approval = { id: "a1", editable: { subject: "Hi" } } as unknown as ApprovalView;
const options = { digest: "shown", reason: "no", words: "shorter", set: ["subject=On Monday"] };

test.each<[Verdict, body: object]>([
  ["approve", { digest: "shown" }],
  ["deny", { digest: "shown", reason: "no" }],
  ["edit", { digest: "shown", changes: { subject: "On Monday" } }],
  ["reply", { digest: "shown", words: "shorter" }],
])("X1 %s is sent as such, with the digest that the person saw", async (verdict, body) => {
  const sent: unknown[] = [];
  const call = ((...args: unknown[]) =>
    Promise.resolve(sent.push(args))) as never as Client["call"];
  await verdicts[verdict].decide(call, approval, options);
  expect(sent).toEqual([[`POST /api/approvals/:id/${verdict}`, { params: { id: "a1" }, body }]]);
});
