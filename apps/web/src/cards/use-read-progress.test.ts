import { expect, it } from "vitest";
import { mountHook, openPage } from "../mount-hook.fixture.tsx";
import { testQueryClient } from "../render-hook.fixture.tsx";
import { useReadProgress } from "./use-read-progress.ts";

const heightPx = 2_000;
const screenPx = 500;

/** A text at the start of the page, four screens long. */
function openText() {
  const { window, document } = openPage({
    innerHeight: screenPx,
    innerWidth: 400,
    scrollY: 0,
    visualViewport: null,
    ResizeObserver: class {
      observe(): void {}
      disconnect(): void {}
    },
    scrollTo: ({ top }: { readonly top: number }) => scroll(top),
  });
  const element = {
    getBoundingClientRect: () => ({
      top: -globalThis.scrollY,
      bottom: heightPx - globalThis.scrollY,
      left: 0,
      right: 400,
      height: heightPx,
    }),
  };
  const text = mountHook(testQueryClient(), () => {
    const progress = useReadProgress();
    progress.ref.current = element as HTMLDivElement;
    return progress;
  });
  const scroll = (top: number) => {
    globalThis.scrollY = Math.max(0, top);
    text.act(() => window.dispatchEvent(new Event("scroll")));
  };
  return { text, scroll, document };
}

it("counts what has been on the screen, in any order and once", async () => {
  const { text, scroll } = openText();
  await expect.poll(() => text.current()).toMatchObject({ unseenPercent: 75, isComplete: false });
  scroll(1_500);
  expect(text.current().unseenPercent).toBe(50);
  scroll(1_250);
  expect(text.current().unseenPercent).toBe(38);
  scroll(500);
  scroll(900);
  expect(text.current()).toMatchObject({ unseenPercent: 0, isComplete: true });
});

it("counts nothing while the page is hidden or behind a dialog", async () => {
  const { text, scroll, document } = openText();
  await expect.poll(() => text.current().unseenPercent).toBe(75);
  document.visibilityState = "hidden";
  scroll(500);
  document.visibilityState = "visible";
  document.querySelector = (selector) => (selector === "dialog[open]" ? {} : null);
  scroll(1_000);
  expect(text.current().unseenPercent).toBe(75);
});

it("continues at the first part that was not on the screen", () => {
  const { text, scroll } = openText();
  scroll(1_500);
  text.act(({ continueReading }) => continueReading());
  expect(scrollY).toBe(484);
});
