import type { Network } from "@bron/client";

/** What a browser says about its network. Outside of a browser some of it is missing. */
interface Page {
  readonly location?: { readonly hostname: string };
  readonly navigator: { readonly onLine?: boolean };
  addEventListener?(name: "online" | "offline", listener: () => void): void;
}

/**
 * Whether the browser reports a network. It knows long before a silent stream times out. A server on
 * this machine needs no network, so there the page checks `/healthz` before it believes the browser.
 */
export function createNetwork(page: Page, isReachable: () => Promise<boolean>): Network {
  const isLocalServer = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(
    page.location?.hostname ?? "",
  );
  const reportsOnline = () => page.navigator.onLine ?? true;
  const listeners = new Set<() => void>();
  let isOnline = reportsOnline();
  const set = (value: boolean) => {
    if (value === isOnline) return;
    isOnline = value;
    for (const listener of listeners) listener();
  };
  page.addEventListener?.("online", () => set(true));
  page.addEventListener?.("offline", () => {
    if (isLocalServer) void isReachable().then((value) => set(value || reportsOnline()));
    else set(false);
  });
  if (!isOnline && isLocalServer) void isReachable().then(set);
  return {
    isOnline: () => isOnline,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const network = createNetwork(
  globalThis,
  async () =>
    await fetch("/healthz", { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    ),
);
