/** Whether this machine is online, as far as it knows. */
export interface Network {
  isOnline(): boolean;
  /** Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
}

/** Uses the browser's online state. Other environments count as always online. */
export const defaultNetwork: Network = {
  isOnline: () => (globalThis as { navigator?: { onLine?: boolean } }).navigator?.onLine !== false,
  onChange(listener) {
    const target = globalThis as unknown as Partial<EventTarget>;
    if (typeof target.addEventListener !== "function") return () => undefined;
    for (const name of ["online", "offline"]) target.addEventListener(name, listener);
    return () => {
      for (const name of ["online", "offline"]) target.removeEventListener?.(name, listener);
    };
  },
};

/** Resolves when the machine is online or the signal aborts. */
export async function untilOnline(network: Network, signal: AbortSignal): Promise<void> {
  if (network.isOnline() || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const check = () => {
      if (!network.isOnline() && !signal.aborted) return;
      stop();
      signal.removeEventListener("abort", check);
      resolve();
    };
    const stop = network.onChange(check);
    signal.addEventListener("abort", check);
  });
}
