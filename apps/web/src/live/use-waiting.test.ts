import type { ApprovalView, QuestionView } from "@bron/protocol";
import { expect, it } from "vitest";
import { inRouter, mountHook, openPage } from "../mount-hook.fixture.tsx";
import { testQueryClient } from "../render-hook.fixture.tsx";
import { texts } from "../texts.ts";
import { queries } from "./queries.ts";
import { useWaiting } from "./use-waiting.ts";

const approval = (id: string, more: Partial<ApprovalView> = {}) =>
  ({
    id,
    runId: `run-${id}`,
    digest: `sha256:${id}`,
    state: "pending",
    snoozedUntil: null,
    ...more,
  }) as ApprovalView;
const question = (id: string) => ({ id, runId: `run-${id}` }) as QuestionView;

function openInbox({ permission = "granted", hidden = true } = {}) {
  const shown: { title: string; body: string; click: () => void }[] = [];
  const badges: (number | "none")[] = [];
  const ways: unknown[] = [];
  class FakeNotification extends EventTarget {
    static readonly permission = permission;
    constructor(title: string, { body }: { readonly body: string }) {
      super();
      shown.push({ title, body, click: () => this.dispatchEvent(new Event("click")) });
    }
    close(): void {}
  }
  const { document, window } = openPage({
    Notification: FakeNotification,
    navigator: {
      setAppBadge: async (count: number) => void badges.push(count),
      clearAppBadge: async () => void badges.push("none"),
    },
  });
  document.hidden = hidden;
  Object.assign(window, { focus: () => undefined });
  const client = testQueryClient();
  // What is in the cache is fresh, so nothing is fetched.
  client.setDefaultOptions({ queries: { staleTime: Number.POSITIVE_INFINITY } });
  const set = (approvals: readonly ApprovalView[], questions: readonly QuestionView[] = []) => {
    client.setQueryData(queries.pendingApprovals().queryKey, [...approvals]);
    client.setQueryData(queries.pendingQuestions().queryKey, [...questions]);
  };
  set([approval("old")]);
  const inbox = mountHook(client, useWaiting, inRouter(ways));
  return { inbox, set, shown, badges, ways };
}

it("counts approvals that are decided together as one, and questions", async () => {
  const { inbox, set, badges } = openInbox();
  expect(inbox.current()).toBe(1);
  set([approval("a", { group: "g" }), approval("b", { group: "g" })], [question("q")]);
  await expect.poll(() => inbox.current()).toBe(2);
  set([], []);
  await expect.poll(() => badges).toEqual([1, 2, "none"]);
});

it("notifies of what is new since the page was opened, and of nothing else", async () => {
  const { set, shown, ways } = openInbox();
  expect(shown).toEqual([]);
  set([approval("old"), approval("new")]);
  await expect
    .poll(() => shown)
    .toMatchObject([
      { title: texts.notification.title(false), body: texts.notification.body(2, 0) },
    ]);
  shown[0]?.click();
  expect(ways).toEqual([["/runs/$runId", { runId: "run-new" }]]);
  set([approval("new")]);
  set([approval("new")], [question("q")]);
  await expect
    .poll(() => shown.map(({ title }) => title).slice(1))
    .toEqual([texts.notification.title(true)]);
});

it("opens the list if several are new", async () => {
  const { set, shown, ways } = openInbox();
  set([approval("old"), approval("a"), approval("b")]);
  await expect.poll(() => shown).toHaveLength(1);
  shown[0]?.click();
  expect(ways).toEqual(["/approvals"]);
});

it.each([{ hidden: false }, { permission: "default" }])("does not notify with %j", async (page) => {
  const { inbox, set, shown } = openInbox(page);
  set([approval("old"), approval("new")]);
  await expect.poll(() => inbox.current()).toBe(2);
  expect(shown).toEqual([]);
});

it("leaves out what is snoozed", async () => {
  const { inbox, set } = openInbox();
  set([approval("old"), approval("later", { snoozedUntil: "2100-01-01T00:00:00.000Z" })]);
  set([approval("new"), approval("later", { snoozedUntil: "2100-01-01T00:00:00.000Z" })]);
  await expect.poll(() => inbox.current()).toBe(1);
});
