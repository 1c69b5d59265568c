import { ClientError } from "@bron/client";
import { expect, it } from "vitest";
import { requestChanges } from "./request-changes.ts";

const approval = { id: "a", digest: "d" };
const said = { words: "send it to Priya instead", context: ["a text"] };
const failing = (code: "approval_closed" | "digest_mismatch" | "rate_limited") => ({
  call: () => Promise.reject(new ClientError(code, code)),
});

it("replies to exactly the approval that is shown", async () => {
  const requests: unknown[] = [];
  const call = (...request: unknown[]) => Promise.resolve(void requests.push(request));
  expect(await requestChanges({ call: call as never }, approval, said)).toBe(true);
  expect(requests).toEqual([
    ["POST /api/approvals/:id/reply", { params: { id: "a" }, body: { digest: "d", ...said } }],
  ]);
});

it.each(["approval_closed", "digest_mismatch"] as const)(
  "leaves the words to the run after %s",
  async (code) => expect(await requestChanges(failing(code), approval, said)).toBe(false),
);

it("reports other failures", async () => {
  await expect(requestChanges(failing("rate_limited"), approval, said)).rejects.toThrow();
});
