import { useEffect, useRef, type RefObject } from "react";

interface ApprovalKeys {
  readonly root: RefObject<HTMLElement | null>;
  /** Handlers by key. None of them decides anything by itself. */
  readonly keys: Readonly<Record<string, () => void>>;
}

const typing = "input, textarea, select, [contenteditable]";
/** Marks every open decision on the page. */
export const openDecision = "data-open-decision";

/** Single-key shortcuts for the decision with the focus, or else for the first one on the page. */
export function useApprovalKeys({ root, keys }: ApprovalKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : document.body;
      if (
        event.defaultPrevented ||
        event.repeat ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        target.closest(typing) ||
        document.querySelector("dialog[open]")
      )
        return;
      const current =
        target.closest(`[${openDecision}]`) ?? document.querySelector(`[${openDecision}]`);
      const handler = latest.current[event.key.toLowerCase()];
      if (!handler || !root.current || current !== root.current) return;
      event.preventDefault();
      handler();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [root]);
}
