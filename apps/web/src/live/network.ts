import type { Network } from "@bron/client";

const isLocalServer = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(location.hostname);
const listeners = new Set<() => void>();
let isOnline = navigator.onLine;

/**
 * Whether the browser reports a network. It knows long before a silent stream times out. A server on
 * this machine needs no network, so there the page checks `/healthz` before it believes the browser.
 */
export const network: Network = {
  isOnline: () => isOnline,
  onChange(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

function set(value: boolean): void {
  if (value === isOnline) return;
  isOnline = value;
  for (const listener of listeners) listener();
}

async function isReachable(): Promise<boolean> {
  return await fetch("/healthz", { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

addEventListener("online", () => set(true));
addEventListener("offline", () => {
  if (isLocalServer) void isReachable().then((value) => set(value || navigator.onLine));
  else set(false);
});
if (!isOnline && isLocalServer) void isReachable().then(set);
