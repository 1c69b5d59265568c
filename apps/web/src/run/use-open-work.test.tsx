import { expect, it } from "vitest";
import { mountHook, openPage } from "../mount-hook.fixture.tsx";
import { testQueryClient } from "../render-hook.fixture.tsx";
import { PassageContext } from "./passage.ts";
import { useOpenWork } from "./use-open-work.ts";

it.each([
  ["has no step", { run: "r1" }, false],
  ["is in this task", { run: "r1", step: "a1" }, true],
  ["is in another task", { run: "r2", step: "a1" }, false],
])("unfolds the steps if the linked passage %s: %j", (_name, passage, isOpen) => {
  openPage();
  const work = mountHook(
    testQueryClient(),
    () => useOpenWork("r1"),
    (page) => <PassageContext value={passage}>{page}</PassageContext>,
  );
  expect(work.current().isOpen).toBe(isOpen);
  work.act(({ toggle }) => toggle());
  expect(work.current().isOpen).toBe(!isOpen);
  work.act(({ toggle }) => toggle());
  expect(work.current().isOpen).toBe(isOpen);
});
