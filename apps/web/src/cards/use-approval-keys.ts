import { useEffect, useRef, type RefObject } from "react";

interface ApprovalKeys {
  readonly root: RefObject<HTMLElement | null>;
  /**
   * Handlers by key. `isAimed`: the focus is in this approval, or it is the only one on the page.
   * Only then may a handler decide anything.
   */
  readonly keys: Readonly<Record<string, (isAimed: boolean) => void>>;
}

const typing = "input, textarea, select, [contenteditable]";
/** Marks every open approval on the page. */
export const openApproval = "data-open-approval";

/** Single-key shortcuts for the approval with the focus, or else for the first one on the page. */
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
      const focused = target.closest(`[${openApproval}]`);
      const all = document.querySelectorAll(`[${openApproval}]`);
      const current = focused ?? all[0];
      const handler = latest.current[event.key.toLowerCase()];
      if (!handler || !root.current || current !== root.current) return;
      event.preventDefault();
      handler(focused !== null || all.length === 1);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [root]);
}
