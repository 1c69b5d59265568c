import type { ApprovalView } from "@bron/protocol";
import { expect, it } from "vitest";
import { mountHook, openPage } from "../mount-hook.fixture.tsx";
import { testQueryClient } from "../render-hook.fixture.tsx";
import { pendingGroups, useOpenGroup } from "./use-open-group.ts";

const approval = (id: string, more: Partial<ApprovalView> = {}) =>
  ({ id, digest: `sha256:${id}`, state: "pending", ...more }) as ApprovalView;

function openInbox(waiting: readonly ApprovalView[], { isWide = false } = {}) {
  openPage({ matchMedia: () => ({ matches: isWide }) });
  let pending = waiting;
  const inbox = mountHook(testQueryClient(), () => useOpenGroup(pendingGroups(pending)));
  const setPending = (next: readonly ApprovalView[]) => {
    pending = next;
    inbox.render();
  };
  return { inbox, setPending, shown: () => inbox.current().shown.map(({ digest }) => digest) };
}

it.each([
  [false, undefined],
  [true, "a"],
])("opens the first line by itself only where there is room: %j", (isWide, key) => {
  expect(openInbox([approval("a")], { isWide }).inbox.current().openKey).toBe(key);
});

it("keeps showing an approval that left the inbox, until another line is opened", () => {
  const { inbox, setPending, shown } = openInbox([approval("a"), approval("b")]);
  inbox.act(({ open }) => open("a"));
  expect(shown()).toEqual(["sha256:a"]);
  setPending([approval("b")]);
  expect(shown()).toEqual(["sha256:a"]);
  inbox.act(({ open }) => open("a"));
  expect(shown()).toEqual(["sha256:a"]);
  inbox.act(({ open }) => open("b"));
  expect(shown()).toEqual(["sha256:b"]);
});

it("adds what joins the open group, and shows the newest version of what is known", () => {
  const inGroup = (id: string, digest = `sha256:${id}`) => approval(id, { group: "g", digest });
  const { inbox, setPending, shown } = openInbox([inGroup("a")]);
  inbox.act(({ open }) => open("g"));
  setPending([inGroup("a", "sha256:edited")]);
  expect(shown()).toEqual(["sha256:edited"]);
  setPending([inGroup("a", "sha256:edited"), inGroup("b")]);
  expect(shown()).toEqual(["sha256:edited", "sha256:b"]);
});

it("opens the line after the open one, or else the one before it", () => {
  const { inbox, setPending } = openInbox([approval("a"), approval("b"), approval("c")]);
  inbox.act(({ open }) => open("b"));
  let isThere: boolean | undefined;
  const goOn = (...decided: string[]) =>
    inbox.act(({ openNext }) => void (isThere = openNext(new Set(decided))));
  goOn("b", "c");
  expect(inbox.current().openKey).toBe("a");
  inbox.act(({ open }) => open("b"));
  goOn("b");
  expect(inbox.current().openKey).toBe("c");
  setPending([approval("a"), approval("c")]);
  goOn();
  expect([inbox.current().openKey, isThere]).toEqual(["a", true]);
  setPending([approval("a")]);
  goOn();
  expect([inbox.current().openKey, isThere]).toEqual(["a", false]);
  setPending([]);
  goOn();
  expect(isThere).toBe(false);
});
