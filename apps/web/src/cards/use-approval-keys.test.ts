import { expect, it } from "vitest";
import { mountHook, openPage, PageElement } from "../mount-hook.fixture.tsx";
import { testQueryClient } from "../render-hook.fixture.tsx";
import { openDecision, useApprovalKeys } from "./use-approval-keys.ts";

const inDecision = `[${openDecision}]`;

/** An element inside of what the selectors find. */
class Inside extends PageElement {
  readonly found: Readonly<Record<string, unknown>>;
  constructor(found: Readonly<Record<string, unknown>>) {
    super();
    this.found = found;
  }
  closest(selector: string): unknown {
    return this.found[selector] ?? null;
  }
}

/** Two open decisions. The hook belongs to the first one, or to the second. */
function openDecisions(own: "first" | "second", { dialog = false, alone = false } = {}) {
  const { window, document } = openPage();
  const decisions = { first: new PageElement(), second: new PageElement() };
  document.querySelector = () => (dialog ? {} : null);
  document.querySelectorAll = (selector) =>
    selector !== inDecision ? [] : alone ? [decisions[own]] : [decisions.first, decisions.second];
  const pressed: string[] = [];
  let keys: Record<string, (isAimed: boolean) => void> = {
    a: (isAimed) => pressed.push(isAimed ? "a" : "a (not aimed)"),
  };
  const root = { current: decisions[own] as unknown as HTMLElement };
  const hook = mountHook(testQueryClient(), () => useApprovalKeys({ root, keys }));
  const press = (key: string, target: PageElement, more: object = {}) => {
    const event = Object.assign(new Event("keydown", { cancelable: true }), { key, ...more });
    Object.defineProperty(event, "target", { value: target });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  return {
    decisions,
    hook,
    pressed,
    press,
    setKeys(next: Record<string, (isAimed: boolean) => void>) {
      keys = next;
      hook.render();
    },
  };
}

it("handles a key for the first decision, or for the one with the focus", () => {
  const { decisions, pressed, press } = openDecisions("first");
  expect(press("A", new Inside({}))).toBe(true);
  expect(press("a", new Inside({ [inDecision]: decisions.second }))).toBe(false);
  expect(press("x", new Inside({}))).toBe(false);
  expect(pressed).toEqual(["a (not aimed)"]);
});

it("BR2 aims a key at the decision with the focus", () => {
  const { decisions, pressed, press } = openDecisions("first");
  press("a", new Inside({ [inDecision]: decisions.first }));
  expect(pressed).toEqual(["a"]);
});

it("BR2 aims a key at the only decision on the page", () => {
  const { pressed, press } = openDecisions("second", { alone: true });
  press("a", new Inside({}));
  expect(pressed).toEqual(["a"]);
});

it("leaves a key to the decision with the focus", () => {
  const { decisions, pressed, press } = openDecisions("second");
  press("a", new Inside({}));
  expect(pressed).toEqual([]);
  press("a", new Inside({ [inDecision]: decisions.second }));
  expect(pressed).toEqual(["a"]);
});

it.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }])(
  "ignores a key with %j",
  (more) => {
    const { pressed, press } = openDecisions("first");
    press("a", new Inside({}), more);
    expect(pressed).toEqual([]);
  },
);

it("ignores keys in a field", () => {
  const { pressed, press } = openDecisions("first");
  press("a", new Inside({ "input, textarea, select, [contenteditable]": {} }));
  expect(pressed).toEqual([]);
});

it("ignores keys behind a dialog", () => {
  const { pressed, press } = openDecisions("first", { dialog: true });
  press("a", new Inside({}));
  expect(pressed).toEqual([]);
});

it("calls the newest handlers, and none after it is gone", () => {
  const { hook, pressed, press, setKeys } = openDecisions("first");
  setKeys({ a: () => pressed.push("newer") });
  press("a", new Inside({}));
  hook.unmount();
  press("a", new Inside({}));
  expect(pressed).toEqual(["newer"]);
});
