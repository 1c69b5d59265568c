import type { ApprovalView as Approval } from "@bron/protocol";
import type { ReactElement } from "react";
import { expect, it } from "vitest";
import { queries } from "../live/queries.ts";
import { renderHook, testQueryClient } from "../render-hook.fixture.tsx";
import { ApprovalView } from "./approval-view.tsx";

it("X1 shows new content under the same approval in a new component, so that it must be read again", () => {
  const client = testQueryClient();
  const show = (digest: string): ReactElement => {
    client.setQueryData(queries.approval("a1").queryKey, { id: "a1", digest } as Approval);
    return renderHook(client, () => ApprovalView({ approvalId: "a1" }));
  };
  expect(show("sha256:1").key).toBe(show("sha256:1").key);
  expect(show("sha256:2").key).not.toBe(show("sha256:1").key);
});
