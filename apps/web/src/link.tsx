import type { MouseEvent, ReactNode } from "react";
import { goTo } from "./router.ts";

/** A link inside the page; with a modifier key the browser does what it always does. */
export function Link({ to, children, className }: { readonly to: string; readonly children: ReactNode; readonly className?: string }) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(to);
  };
  return (
    <a href={to} className={className} onClick={follow}>
      {children}
    </a>
  );
}
