const checkEveryMs = 1_000;
/** A file that is missing for another reason would make the page reload again and again. */
const reloadEveryMs = 30_000;
const storageKey = "bron-reloaded-at";

interface ReloadDeps {
  isReachable(): Promise<boolean>;
  wait(ms: number): Promise<unknown>;
  reload(): void;
  now(): number;
  readonly storage: Pick<Storage, "getItem" | "setItem">;
}

/**
 * Reloads the page once the server responds. A browser remembers that a file of the page could not be
 * loaded, so that nothing else loads it. Words that were typed survive a reload.
 */
export function createReloadWhenReachable(deps: ReloadDeps): () => Promise<void> {
  let waiting: Promise<void> | undefined;
  const untilReachable = async () => {
    const last = Number(deps.storage.getItem(storageKey) ?? 0);
    if (deps.now() - last < reloadEveryMs) return;
    while (!(await deps.isReachable())) await deps.wait(checkEveryMs);
    deps.storage.setItem(storageKey, String(deps.now()));
    deps.reload();
  };
  return () => (waiting ??= untilReachable().finally(() => (waiting = undefined)));
}

export const reloadWhenReachable = createReloadWhenReachable({
  isReachable: () =>
    fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    ),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  reload: () => location.reload(),
  now: () => Date.now(),
  get storage() {
    return sessionStorage;
  },
});
