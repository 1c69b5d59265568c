import type { Network } from "@bron/client";

const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(location.hostname);
const listeners = new Set<() => void>();
let isOnline = navigator.onLine;

/**
 * Whether the server can be reached, as far as the browser knows: it knows long before a silent stream is given up. What runs on this
 * machine needs no network: there the browser's word is a reason to ask, not an answer.
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

async function answers(): Promise<boolean> {
  return await fetch("/healthz", { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

addEventListener("online", () => set(true));
addEventListener("offline", () => {
  if (isHere) void answers().then((value) => set(value || navigator.onLine));
  else set(false);
});
if (!isOnline && isHere) void answers().then(set);
