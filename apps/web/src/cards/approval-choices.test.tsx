import type { ApprovalView } from "@bron/protocol";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ApprovalChoices } from "./approval-choices.tsx";

const approval = {
  tool: "gmail_send",
  digest: "sha256:1",
  expiresAt: new Date(Date.now() + 60_000).toISOString(),
} as ApprovalView;

function canApprove({
  unseenPercent = 0,
  isBusy = false,
  expiresAt = approval.expiresAt,
}): boolean {
  const page = renderToStaticMarkup(
    <ApprovalChoices
      root={{ current: null }}
      approval={{ ...approval, expiresAt }}
      reading={{
        ref: { current: null },
        unseenPercent,
        isComplete: unseenPercent === 0,
        continueReading: () => undefined,
      }}
      isBusy={isBusy}
      onEdit={() => undefined}
      onDecide={() => undefined}
    />,
  );
  const [button = ""] = /<button[^>]*data-key="approve"[^>]*>/.exec(page) ?? [];
  return /aria-disabled="(\w+)"/.exec(button)?.[1] === "false";
}

it("BR2 lets a person approve only after all of the content has been on the screen", () => {
  expect(canApprove({ unseenPercent: 100 })).toBe(false);
  expect(canApprove({ unseenPercent: 1 })).toBe(false);
  expect(canApprove({})).toBe(true);
});

it("lets a person approve nothing while a choice is sent, and nothing that has expired", () => {
  expect(canApprove({ isBusy: true })).toBe(false);
  expect(canApprove({ expiresAt: new Date(Date.now() - 1).toISOString() })).toBe(false);
});
