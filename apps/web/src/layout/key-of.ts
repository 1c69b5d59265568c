const writing = "input, textarea, select, [contenteditable]";

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "repeat" | "target">;

/**
 * The name of a shortcut: "mod+k", or a single key such as "?". Single keys are for the field that
 * has the focus, and for an open dialog, so there they are no shortcuts and the name is empty.
 */
export function keyOf({ key, ctrlKey, metaKey, altKey, repeat, target }: Pressed): string {
  if (altKey || repeat) return "";
  if (ctrlKey || metaKey) return `mod+${key.toLowerCase()}`;
  const isWriting = target instanceof Element && target.closest(writing) !== null;
  return isWriting || document.querySelector("dialog[open]") ? "" : key;
}
