import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { mountHook, openPage } from "../mount-hook.fixture.tsx";
import { testQueryClient } from "../render-hook.fixture.tsx";
import { useFocusAfter } from "./use-focus-after.ts";

function openButton(hasFocus: boolean) {
  openPage();
  const focused: unknown[] = [];
  const section = {};
  const element = { contains: () => hasFocus, closest: () => section };
  let name = "first";
  const button = mountHook(testQueryClient(), () => {
    const chosen = name;
    const ref = useFocusAfter((container) => {
      const target = { focus: () => focused.push([chosen, container === section]) };
      return target as unknown as HTMLElement;
    });
    ref.current = element as unknown as HTMLElement;
  });
  return {
    focused,
    async remove() {
      name = "newest";
      button.render();
      button.unmount();
      await setImmediate();
    },
  };
}

it("moves the focus of a removed element to what is next by now", async () => {
  const { focused, remove } = openButton(true);
  await remove();
  expect(focused).toEqual([["newest", true]]);
});

it("leaves the focus where it is if the removed element did not have it", async () => {
  const { focused, remove } = openButton(false);
  await remove();
  expect(focused).toEqual([]);
});
