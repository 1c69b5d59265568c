import type { KeyboardEvent } from "react";

/**
 * Enter sends, and Shift-Enter breaks the line. On a touch keyboard Enter always breaks the line,
 * because it has no Shift-Enter. Enter that ends the input of a composed character sends nothing.
 */
export function isSendKey(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return false;
  return event.metaKey || event.ctrlKey || !matchMedia("(pointer: coarse)").matches;
}
