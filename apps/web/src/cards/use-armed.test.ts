import { expect, it, vi } from "vitest";
import { mountHook, openPage } from "../mount-hook.fixture.tsx";
import { testQueryClient } from "../render-hook.fixture.tsx";
import { useArmed } from "./use-armed.ts";

it("BR2 lets a key decide only when all has been on the screen for a moment", () => {
  openPage();
  let now = 1_000;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  let isComplete = false;
  const hook = mountHook(testQueryClient(), () => useArmed(isComplete));
  now += 5_000;
  expect(hook.current()()).toBe(false);
  isComplete = true;
  hook.render();
  expect(hook.current()()).toBe(false);
  now += 599;
  expect(hook.current()()).toBe(false);
  now += 1;
  expect(hook.current()()).toBe(true);
  isComplete = false;
  hook.render();
  expect(hook.current()()).toBe(false);
  vi.restoreAllMocks();
});
