import type { ReactNode } from "react";

/**
 * The buttons of an open card. They stay at the bottom of the screen while the card is in view,
 * above the composer and the menu of a phone. What they cover does not count as seen (edges.ts).
 */
export function ApprovalBar({ children }: { readonly children: ReactNode }) {
  return (
    <footer
      data-approval-bar
      className="sticky bottom-[calc(var(--composer-room,0px)+var(--bar-room))] z-10 -mx-4 mt-4 -mb-4 rounded-b-xl border-t border-edge bg-surface px-4 py-3 sm:-mx-5 sm:-mb-5 sm:px-5 print:hidden"
    >
      {children}
    </footer>
  );
}

/** On a phone the first button has a line of its own, and the others share the next one. */
export const barButtons =
  "flex flex-wrap items-center gap-2 max-[22rem]:gap-1.5 [&>button]:px-3 max-sm:[&>button]:flex-auto max-sm:[&>button]:px-2 max-[22rem]:[&>button]:px-1 max-sm:[&>button:first-child]:basis-full";
