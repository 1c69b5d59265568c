import { expect, it } from "vitest";
import { mountHook, openPage, PageElement } from "../mount-hook.fixture.tsx";
import { testQueryClient } from "../render-hook.fixture.tsx";
import { openApproval, useApprovalKeys } from "./use-approval-keys.ts";

const inApproval = `[${openApproval}]`;

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

/** Two open approvals. The hook belongs to the first one, or to the second. */
function openApprovals(own: "first" | "second", { dialog = false, alone = false } = {}) {
  const { window, document } = openPage();
  const approvals = { first: new PageElement(), second: new PageElement() };
  document.querySelector = () => (dialog ? {} : null);
  document.querySelectorAll = (selector) =>
    selector !== inApproval ? [] : alone ? [approvals[own]] : [approvals.first, approvals.second];
  const pressed: string[] = [];
  let keys: Record<string, (isAimed: boolean) => void> = {
    a: (isAimed) => pressed.push(isAimed ? "a" : "a (not aimed)"),
  };
  const root = { current: approvals[own] as unknown as HTMLElement };
  const hook = mountHook(testQueryClient(), () => useApprovalKeys({ root, keys }));
  const press = (key: string, target: PageElement, more: object = {}) => {
    const event = Object.assign(new Event("keydown", { cancelable: true }), { key, ...more });
    Object.defineProperty(event, "target", { value: target });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  return {
    approvals,
    hook,
    pressed,
    press,
    setKeys(next: Record<string, (isAimed: boolean) => void>) {
      keys = next;
      hook.render();
    },
  };
}

it("handles a key for the first approval, or for the one with the focus", () => {
  const { approvals, pressed, press } = openApprovals("first");
  expect(press("A", new Inside({}))).toBe(true);
  expect(press("a", new Inside({ [inApproval]: approvals.second }))).toBe(false);
  expect(press("x", new Inside({}))).toBe(false);
  expect(pressed).toEqual(["a (not aimed)"]);
});

it("BR2 aims a key at the approval with the focus", () => {
  const { approvals, pressed, press } = openApprovals("first");
  press("a", new Inside({ [inApproval]: approvals.first }));
  expect(pressed).toEqual(["a"]);
});

it("BR2 aims a key at the only approval on the page", () => {
  const { pressed, press } = openApprovals("second", { alone: true });
  press("a", new Inside({}));
  expect(pressed).toEqual(["a"]);
});

it("leaves a key to the approval with the focus", () => {
  const { approvals, pressed, press } = openApprovals("second");
  press("a", new Inside({}));
  expect(pressed).toEqual([]);
  press("a", new Inside({ [inApproval]: approvals.second }));
  expect(pressed).toEqual(["a"]);
});

it.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }])(
  "ignores a key with %j",
  (more) => {
    const { pressed, press } = openApprovals("first");
    press("a", new Inside({}), more);
    expect(pressed).toEqual([]);
  },
);

it("ignores keys in a field", () => {
  const { pressed, press } = openApprovals("first");
  press("a", new Inside({ "input, textarea, select, [contenteditable]": {} }));
  expect(pressed).toEqual([]);
});

it("ignores keys behind a dialog", () => {
  const { pressed, press } = openApprovals("first", { dialog: true });
  press("a", new Inside({}));
  expect(pressed).toEqual([]);
});

it("calls the newest handlers, and none after it is gone", () => {
  const { hook, pressed, press, setKeys } = openApprovals("first");
  setKeys({ a: () => pressed.push("newer") });
  press("a", new Inside({}));
  hook.unmount();
  press("a", new Inside({}));
  expect(pressed).toEqual(["newer"]);
});
