import { expect, it } from "vitest";
import { openApproval } from "../cards/use-approval-keys.ts";
import { mountHook, openPage, PageElement } from "../mount-hook.fixture.tsx";
import { testQueryClient } from "../render-hook.fixture.tsx";
import { usePageAnchor, type Anchor } from "./use-page-anchor.ts";

const screenPx = 500;

/** A page with a height and a scroll position. Elements have a distance from its start. */
function openScrolled(anchor: Anchor, heightPx = 2_000, headerRoom = "") {
  const page = { height: heightPx, grow: () => undefined as void };
  const { window, document } = openPage({
    innerHeight: screenPx,
    scrollY: 0,
    ResizeObserver: class {
      constructor(onResize: () => void) {
        page.grow = onResize;
      }
      observe(): void {}
      disconnect(): void {}
    },
    scrollTo: ({ top }: { readonly top: number }) => scroll(top),
  });
  const elements = new Map<string, PageElement>();
  Object.assign(document, {
    documentElement: {
      style: { getPropertyValue: () => headerRoom },
      get scrollHeight() {
        return page.height;
      },
    },
    getElementById: (id: string) => elements.get(id) ?? null,
  });
  const scroll = (top: number) => {
    globalThis.scrollY = Math.max(0, Math.min(top, page.height - screenPx));
    window.dispatchEvent(new Event("scroll"));
  };
  const elementAt = (top: number, isOpen = false) =>
    Object.assign(new PageElement(), {
      getBoundingClientRect: () => ({ top: top - globalThis.scrollY }),
      matches: (selector: string) => isOpen && selector === `[${openApproval}]`,
    }) as unknown as HTMLElement;
  const content = { current: document.body };
  const put = (id: string, top: number) =>
    elements.set(id, elementAt(top) as unknown as PageElement);
  const hook = mountHook(testQueryClient(), () => {
    const result = usePageAnchor(anchor);
    (result.content as { current: unknown }).current = content.current;
    return result;
  });
  const growTo = (height: number) => {
    page.height = height;
    hook.act(() => page.grow());
  };
  const read = (top: number) => {
    window.dispatchEvent(new Event("wheel"));
    hook.act(() => scroll(top));
  };
  return { hook, put, growTo, read, elementAt };
}

it("keeps the end in view while the page grows", () => {
  const { growTo } = openScrolled("end");
  expect(scrollY).toBe(1_500);
  growTo(3_000);
  expect(scrollY).toBe(2_500);
});

it("leaves room for a header that sticks to the top only after the scroll", () => {
  const { put, growTo } = openScrolled({ id: "task" }, 2_000, "60px");
  put("task", 700);
  growTo(2_100);
  expect(scrollY).toBe(700 - 60 - 16);
});

it("leaves a reader who has scrolled back where they are, until they return to the end", () => {
  const { hook, growTo, read } = openScrolled("end");
  read(800);
  expect(hook.current().isAway).toBe(true);
  growTo(3_000);
  expect(scrollY).toBe(800);
  read(2_450);
  expect(hook.current().isAway).toBe(false);
  growTo(4_000);
  expect(scrollY).toBe(3_500);
});

it("keeps the start of an element in view only until the reader moves", () => {
  const { hook, put, growTo, read } = openScrolled("end");
  put("answer", 300);
  hook.act(({ setAnchor }) => setAnchor({ id: "answer" }));
  expect(scrollY).toBe(284);
  put("answer", 700);
  growTo(3_000);
  expect(scrollY).toBe(684);
  read(690);
  put("answer", 900);
  growTo(3_500);
  expect(scrollY).toBe(690);
});

it("leaves the end for an answer only if the reader is at the end", () => {
  const { hook, put, read } = openScrolled("end");
  put("answer", 600);
  read(100);
  hook.act(({ leaveEndFor }) => leaveEndFor("answer"));
  expect(scrollY).toBe(100);
  read(1_500);
  hook.act(({ leaveEndFor }) => leaveEndFor("answer"));
  expect(scrollY).toBe(584);
});

it("keeps the start of an open approval on the screen while the page grows below it", () => {
  const { hook, growTo, elementAt } = openScrolled("end");
  hook.act(({ lookAt }) => lookAt(elementAt(1_600, true)));
  expect(scrollY).toBe(1_500);
  growTo(3_000);
  expect(scrollY).toBe(1_584);
});

it("keeps the end in view again once the approval is decided", () => {
  const { hook, growTo, elementAt } = openScrolled("end");
  hook.act(({ lookAt }) => lookAt(elementAt(1_600, false)));
  growTo(3_000);
  expect(scrollY).toBe(2_500);
});

it("does not move a reader who has scrolled back to a new approval", () => {
  const { hook, read, elementAt } = openScrolled("end");
  read(100);
  hook.act(({ lookAt }) => lookAt(elementAt(1_900, true)));
  expect(scrollY).toBe(100);
});
