import { useEffect, useRef } from "react";
import { keyOf } from "./key-of.ts";

/** Shortcuts that work on every page. `mod` is Ctrl, or Cmd on a Mac. */
export function useKeys(handlers: Readonly<Record<string, () => void>>): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const handler = event.defaultPrevented ? undefined : latest.current[keyOf(event)];
      if (!handler) return;
      event.preventDefault();
      handler();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}
