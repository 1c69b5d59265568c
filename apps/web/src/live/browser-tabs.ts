import type { FeedLocks, FeedTabs } from "./shared-feed.ts";

/** Undefined where browsers offer no locks: over plain HTTP to another machine. */
export const browserTabs: FeedTabs | undefined = openTabs(
  (navigator as { readonly locks?: FeedLocks }).locks,
);

function openTabs(locks: FeedLocks | undefined): FeedTabs | undefined {
  return locks && { locks, openChannel: (name) => new BroadcastChannel(name) };
}
