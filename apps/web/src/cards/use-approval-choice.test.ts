import type { ApprovalView } from "@bron/protocol";
import { expect, it } from "vitest";
import { queries } from "../live/queries.ts";
import { renderHook, testQueryClient } from "../render-hook.fixture.tsx";
import type { ApprovalChoice } from "./approval-choices.tsx";
import { outcomeOf, useApprovalChoice } from "./use-approval-choice.ts";

const pending = { id: "a1", digest: "sha256:1", state: "pending" } as ApprovalView;
const approve: ApprovalChoice = { kind: "approve" };

function openHarness(approval = pending) {
  const client = testQueryClient();
  client.setQueryData(queries.approval(approval.id).queryKey, approval);
  const sent: unknown[] = [];
  const said: string[] = [];
  const responses: PromiseWithResolvers<ApprovalView>[] = [];
  const choice = renderHook(client, () =>
    useApprovalChoice(approval, {
      onStart: ({ kind }) => said.push(`start ${kind}`),
      onDecided: ({ kind }) => said.push(`decided ${kind}`),
      onFailed: () => said.push("failed"),
      send(...args) {
        sent.push(args);
        const response = Promise.withResolvers<ApprovalView>();
        responses.push(response);
        return response.promise;
      },
    }),
  );
  const shown = () => client.getQueryData(queries.approval(approval.id).queryKey);
  const isStale = () =>
    client.getQueryState(queries.approval(approval.id).queryKey)?.isInvalidated === true;
  return { choice, isStale, responses, said, sent, shown };
}

it("sends a choice once, with the digest of the content, however often it is clicked", async () => {
  const { choice, responses, said, sent, shown } = openHarness();
  choice.decide(approve);
  choice.decide(approve);
  choice.decide({ kind: "deny", reason: "" });
  await expect.poll(() => sent).toEqual([["a1", "sha256:1", approve]]);
  responses[0]?.resolve({ ...pending, state: "approved" });
  await expect.poll(() => said).toEqual(["start approve", "decided approve"]);
  expect(shown()).toMatchObject({ state: "approved" });
  choice.decide(approve);
  expect(sent).toHaveLength(1);
});

it("refetches after a failure, and lets the person decide again", async () => {
  const { choice, isStale, responses, said, sent, shown } = openHarness();
  choice.decide({ kind: "edit", changes: {} });
  await expect.poll(() => responses.length).toBe(1);
  responses[0]?.reject(new Error("lost"));
  await expect.poll(() => said).toEqual(["start edit", "failed"]);
  expect(shown()).toBe(pending);
  expect(isStale()).toBe(true);
  choice.decide(approve);
  await expect.poll(() => sent.length).toBe(2);
});

it("does not say that an approval which was never open here was decided elsewhere", () => {
  const { choice } = openHarness({ ...pending, state: "denied" });
  expect(choice).toMatchObject({ isElsewhere: false, isSending: false, error: null });
});

const idle = { variables: undefined, error: null, isPending: false, isSuccess: false };
const lost = new Error("lost");

it("says that an approval was decided elsewhere only if this page did not decide it", () => {
  const isElsewhere = (sending: Partial<Parameters<typeof outcomeOf>[0]>, state = "used") =>
    outcomeOf({ ...idle, ...sending }, { state: state as ApprovalView["state"], wasOpen: true })
      .isElsewhere;
  expect(isElsewhere({})).toBe(true);
  expect(isElsewhere({}, "pending")).toBe(false);
  expect(isElsewhere({ variables: approve, isPending: true }, "denied")).toBe(false);
  expect(isElsewhere({ variables: approve, error: lost }, "denied")).toBe(true);
  expect(isElsewhere({ variables: approve, error: lost })).toBe(false);
  // The person undid the approval on this page.
  expect(isElsewhere({ variables: approve, isSuccess: true }, "denied")).toBe(false);
});

it.each<[ApprovalChoice, ApprovalView["state"]]>([
  [approve, "approved"],
  [approve, "used"],
  [{ kind: "deny", reason: "" }, "denied"],
  [{ kind: "edit", changes: {} }, "superseded"],
  [{ kind: "reply", words: "shorter" }, "denied"],
])("shows no error if %j reached the server although its response was lost", (variables, state) => {
  const sending = { ...idle, variables, error: lost };
  expect(outcomeOf(sending, { state, wasOpen: true }).error).toBe(null);
  expect(outcomeOf(sending, { state: "pending", wasOpen: true }).error).toBe(lost);
  expect(outcomeOf(sending, { state: "expired", wasOpen: true }).error).toBe(lost);
});
