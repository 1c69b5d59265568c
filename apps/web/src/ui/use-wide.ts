import { useSyncExternalStore } from "react";

/** The same width as the breakpoint `wide` of styles.css. */
const query = "(min-width: 68.75rem)";

/** Whether the screen has room for two columns. */
export function useWide(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
}

function subscribe(onChange: () => void): () => void {
  const list = matchMedia(query);
  list.addEventListener("change", onChange);
  return () => list.removeEventListener("change", onChange);
}
