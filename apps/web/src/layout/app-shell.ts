const checkEveryMs = 30 * 60_000;

/**
 * Registers the service worker that keeps the page itself, so that it opens without the server. It
 * never keeps data of the owner. Browsers offer service workers only over TLS or on this machine.
 */
export function keepAppShell(): void {
  if (!("serviceWorker" in navigator)) return;
  addEventListener("load", () => {
    navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  });
}

/** Calls `onReady` once a newer version is installed. Its argument loads that version. */
export function watchForNewVersion(onReady: (apply: () => void) => void): () => void {
  if (!("serviceWorker" in navigator)) return () => undefined;
  const unmounted = new AbortController();
  const { signal } = unmounted;
  let registration: ServiceWorkerRegistration | undefined;
  const check = () => void registration?.update().catch(() => undefined);
  const offer = () => {
    const waiting = registration?.waiting;
    // The first version has nothing to replace.
    if (!waiting || !navigator.serviceWorker.controller || signal.aborted) return;
    onReady(() => {
      navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), {
        once: true,
      });
      waiting.postMessage("take-over");
    });
  };
  void navigator.serviceWorker.ready.then((ready) => {
    registration = ready;
    offer();
    ready.addEventListener(
      "updatefound",
      () => ready.installing?.addEventListener("statechange", offer, { signal }),
      { signal },
    );
  });
  const timer = setInterval(check, checkEveryMs);
  addEventListener("focus", check, { signal });
  return () => {
    unmounted.abort();
    clearInterval(timer);
  };
}
