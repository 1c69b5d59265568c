import { maxCountedRuns, type RunView } from "@bron/protocol";
import { expect, test } from "vitest";
import { renderStatusPage, type StatusView } from "./status-page.ts";

const view: StatusView = {
  version: "1.2.3",
  worker: "w-1",
  model: "demo/x",
  isDemo: true,
  database: "ready",
  overview: undefined,
  now: new Date("2026-11-15T12:00:00Z"),
};

test("the page counts runs by the statuses that people see, and escapes text", () => {
  const run = {
    id: "3f9a1c20-1111-4222-8333-444455556666",
    title: "<script>alert(1)</script>",
    status: "awaiting_confirmation",
    createdAt: "2026-11-15T11:58:00Z",
  } as RunView;
  const page = renderStatusPage({
    ...view,
    overview: { counts: { planning: 2, executing: 3, awaiting_confirmation: 1 }, newest: [run] },
  });
  expect(page).toContain("<b>5</b> running");
  expect(page).toContain("<b>1</b> needs approval");
  expect(page).toContain("&lt;script&gt;");
  expect(page).not.toContain("<script");
});

test("the page marks a capped count with a plus", () => {
  const page = renderStatusPage({
    ...view,
    overview: { counts: { completed: maxCountedRuns, failed: 3 }, newest: [] },
  });
  expect(page).toContain(`<b>${maxCountedRuns}+</b> succeeded`);
  expect(page).toContain("<b>3</b> failed");
});

test("the page reports that there are no runs, and that the database is unreachable", () => {
  expect(renderStatusPage({ ...view, overview: { counts: {}, newest: [] } })).toContain(
    "No runs yet.",
  );
  expect(renderStatusPage({ ...view, database: "not responding" })).toContain("not responding");
});
