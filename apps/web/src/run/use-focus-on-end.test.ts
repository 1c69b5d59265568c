import { expect, it } from "vitest";
import { mountHook, openPage, PageElement } from "../mount-hook.fixture.tsx";
import { testQueryClient } from "../render-hook.fixture.tsx";
import { useFocusOnEnd } from "./use-focus-on-end.ts";

function openTask() {
  const { document } = openPage();
  const inside = new PageElement();
  const focused: string[] = [];
  const answer = { focus: () => focused.push("answer") };
  const element = {
    contains: (other: unknown) => other === inside,
    querySelector: (selector: string) => (selector === "[data-answer]" ? answer : null),
  };
  let isOver = false;
  const task = mountHook(testQueryClient(), () => {
    const ref = useFocusOnEnd(isOver);
    ref.current = element as unknown as HTMLDivElement;
    return ref;
  });
  const focus = (target: object) => {
    document.activeElement = target;
    document.dispatchEvent(new Event("focusin"));
  };
  return {
    inside,
    focused,
    focus,
    end(active: object) {
      document.activeElement = active;
      isOver = true;
      task.render();
    },
    body: document.body,
  };
}

it("moves a focus that was lost with the folded steps to the answer", () => {
  const { inside, focused, focus, end, body } = openTask();
  focus(inside);
  end(body);
  expect(focused).toEqual(["answer"]);
});

it.each([
  ["was never in the task", false, "body"],
  ["is elsewhere by now", true, "elsewhere"],
] as const)("leaves a focus alone that %s", (_name, wasInside, now) => {
  const { inside, focused, focus, end, body } = openTask();
  focus(wasInside ? inside : new PageElement());
  end(now === "body" ? body : new PageElement());
  expect(focused).toEqual([]);
});
