/** The part of the browser's LockManager that is used here. All tabs of a browser share it. */
export interface FeedLocks {
  request(
    name: string,
    options: { readonly signal: AbortSignal },
    hold: () => Promise<void>,
  ): Promise<unknown>;
}

/** The part of a BroadcastChannel that is used here. A message reaches all other tabs. */
export interface FeedChannel {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  close(): void;
}

export interface FeedTabs {
  readonly locks: FeedLocks;
  openChannel(name: string): FeedChannel;
}

interface Feed<Item> {
  readonly name: string;
  readonly signal: AbortSignal;
  /** Reads from the server until the feed ends or the signal aborts. */
  read(tell: (item: Item) => void): Promise<void>;
  onItem(item: Item): void;
  /** Called before the first item, and when another tab begins to read: items may be missing. */
  onGap(): void;
}

type Message<Item> = { readonly item: Item } | { readonly began: true };

/**
 * Lets all tabs of a browser share one stream. One tab holds a lock and reads, and tells the others
 * what it read. When it closes, the next one takes over. A browser opens six connections to a host,
 * so one stream for each tab would soon use all of them.
 *
 * Without `tabs`, this tab reads on its own. Resolves when the feed has ended or the signal aborts.
 * Rejects with what `read` throws.
 */
export async function shareFeed<Item>(
  tabs: FeedTabs | undefined,
  { name, signal, read, onItem, onGap }: Feed<Item>,
): Promise<void> {
  onGap();
  if (!tabs) return await read(onItem);
  const channel = tabs.openChannel(name);
  const post = (message: Message<Item>) => channel.postMessage(message);
  channel.addEventListener("message", ({ data }) => {
    const message = data as Message<Item>;
    if ("item" in message) onItem(message.item);
    else onGap();
  });
  try {
    await tabs.locks.request(name, { signal }, async () => {
      post({ began: true });
      onGap();
      const reading = read((item) => {
        if (signal.aborted) return;
        onItem(item);
        post({ item });
      });
      // Another tab takes over at once, also if the last request takes long to end.
      await Promise.race([reading, untilAborted(signal)]);
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    channel.close();
  }
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  if (!signal.aborted) await promise;
}
