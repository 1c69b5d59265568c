import { expect, it } from "vitest";
import { shareFeed, type FeedTabs } from "./shared-feed.ts";
import { createBrowser } from "./tabs.fixture.ts";

/** Opens a tab. `tell` is there once this tab reads from the server. */
function openTab(tabs: FeedTabs | undefined) {
  const closed = new AbortController();
  const tab = {
    heard: [] as (number | "gap")[],
    tell: undefined as ((item: number) => void) | undefined,
    close: () => closed.abort(),
    done: Promise.resolve(),
  };
  tab.done = shareFeed<number>(tabs, {
    name: "numbers",
    signal: closed.signal,
    async read(tell) {
      tab.tell = tell;
      const { promise, resolve } = Promise.withResolvers<void>();
      closed.signal.addEventListener("abort", () => resolve());
      await promise;
    },
    onItem: (item) => tab.heard.push(item),
    onGap: () => tab.heard.push("gap"),
  });
  return tab;
}

/** Lets everything run that waits for nothing but a promise. */
const settle = async () => await new Promise((resolve) => setImmediate(resolve));

it("lets one tab read and tells all of them", async () => {
  const browser = createBrowser();
  const [first, second] = [openTab(browser.open()), openTab(browser.open())];
  await settle();
  expect([typeof first.tell, typeof second.tell]).toEqual(["function", "undefined"]);
  first.tell?.(1);
  expect(first.heard.at(-1)).toBe(1);
  expect(second.heard.at(-1)).toBe(1);
  first.close();
  second.close();
  await Promise.all([first.done, second.done]);
});

it("hands over to the next tab when the reading one closes, and says that items may be missing", async () => {
  const browser = createBrowser();
  const [first, second, third] = [1, 2, 3].map(() => openTab(browser.open()));
  await settle();
  first?.close();
  await first?.done;
  await settle();
  expect(second?.heard.at(-1)).toBe("gap");
  expect(third?.heard.at(-1)).toBe("gap");
  second?.tell?.(2);
  expect(third?.heard.at(-1)).toBe(2);
  expect(first?.heard).not.toContain(2);
  second?.close();
  third?.close();
  await Promise.all([second?.done, third?.done]);
});

it("tells a closed tab nothing", async () => {
  const browser = createBrowser();
  const [first, second] = [openTab(browser.open()), openTab(browser.open())];
  await settle();
  second.close();
  await second.done;
  first.tell?.(3);
  expect(second.heard).not.toContain(3);
  first.close();
  await first.done;
});

it("reads in every tab where the browser has no locks", async () => {
  const tab = openTab(undefined);
  tab.tell?.(4);
  expect(tab.heard).toEqual(["gap", 4]);
  tab.close();
  await tab.done;
});

it("rejects with what reading throws", async () => {
  const feed = shareFeed<number>(createBrowser().open(), {
    name: "numbers",
    signal: new AbortController().signal,
    read: () => Promise.reject(new Error("signed out")),
    onItem: () => undefined,
    onGap: () => undefined,
  });
  await expect(feed).rejects.toThrow("signed out");
});
