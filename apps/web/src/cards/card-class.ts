import { cx } from "../ui/cx.ts";

/** White paper. What waits for the owner has an amber edge. */
export function cardClass(isOpen: boolean): string {
  return cx(
    "rounded-xl border bg-surface p-4 outline-none sm:p-5",
    isOpen ? "border-l-4 border-ask-edge" : "border-edge",
  );
}
