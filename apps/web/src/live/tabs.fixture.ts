import type { FeedChannel, FeedLocks, FeedTabs } from "./shared-feed.ts";

/** The tabs of one browser: `open` gives each tab its own view of the same locks and channels. */
export function createBrowser(): { open(): FeedTabs } {
  const waiting = new Map<string, Promise<unknown>>();
  const locks: FeedLocks = {
    async request(name, { signal }, hold) {
      const before = waiting.get(name) ?? Promise.resolve();
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
      });
      const mine = before.catch(() => undefined).then(() => (signal.aborted ? undefined : hold()));
      waiting.set(name, mine);
      return await Promise.race([mine, aborted]);
    },
  };
  const channels = new Map<string, Set<Set<(event: { readonly data: unknown }) => void>>>();
  const openChannel = (name: string): FeedChannel => {
    const all = channels.get(name) ?? new Set();
    const mine = new Set<(event: { readonly data: unknown }) => void>();
    channels.set(name, all.add(mine));
    return {
      postMessage(data) {
        for (const listeners of all)
          if (listeners !== mine) for (const listener of listeners) listener({ data });
      },
      addEventListener: (_, listener) => mine.add(listener),
      close: () => all.delete(mine),
    };
  };
  return { open: () => ({ locks, openChannel }) };
}
