import { createContext, useContext, useEffect, useRef, type RefObject } from "react";
import type { RunSearch } from "../search.ts";

/** The passage that the page was opened for. */
export const PassageContext = createContext<RunSearch & { readonly run?: string }>({});

/** The passage, if this step has it. Opens the step and scrolls to what is marked in it. */
export function usePassage(actionId: string): {
  readonly passage: RunSearch | undefined;
  readonly ref: RefObject<HTMLDetailsElement | null>;
} {
  const opened = useContext(PassageContext);
  const passage = opened.step === actionId ? opened : undefined;
  const ref = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const line = ref.current;
    if (!passage || !line) return;
    line.open = true;
    (line.querySelector("mark") ?? line).scrollIntoView({ block: "center" });
  }, [passage]);
  return { passage, ref };
}

/** A text before, within and after the passage. The passage is empty if the text does not have it. */
export function splitAtPassage(
  text: string,
  { find = "", after = "" }: RunSearch,
): readonly [before: string, passage: string, rest: string] {
  const lower = text.toLowerCase();
  const words = find.toLowerCase();
  // Letters such as "İ" have another length in lower case, so that positions would not fit.
  if (words === "" || lower.length !== text.length) return [text, "", ""];
  const start = Math.max(0, lower.indexOf(after.toLowerCase()));
  const later = lower.indexOf(words, start);
  const at = later < 0 ? lower.indexOf(words) : later;
  if (at < 0) return [text, "", ""];
  const end = at + words.length;
  return [text.slice(0, at), text.slice(at, end), text.slice(end)];
}
