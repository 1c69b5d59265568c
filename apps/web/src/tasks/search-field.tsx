import { useEffect, useRef, useState } from "react";
import { Icon } from "../layout/icon.tsx";
import { searchIcon } from "../layout/palette-button.tsx";
import { texts } from "../texts.ts";
import { KeyHint } from "../ui/key-hint.tsx";
import { useDebounced } from "../use-debounced.ts";

const pauseMs = 200;

interface SearchFieldProps {
  /** The words of the address. */
  readonly words: string;
  onSearch(words: string): void;
}

/** Searches once the typing pauses. `data-page-search` is for the key "/". */
export function SearchField({ words, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(words);
  const settled = useDebounced(typed, pauseMs);
  const latest = useRef({ words, onSearch });
  useEffect(() => {
    latest.current = { words, onSearch };
  });
  useEffect(() => {
    if (settled.trim() !== latest.current.words) latest.current.onSearch(settled.trim());
  }, [settled]);
  // Back and Forward change the words as well.
  useEffect(() => setTyped((before) => (before.trim() === words ? before : words)), [words]);
  return (
    <div role="search" className="relative">
      <span className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-quiet">
        <Icon path={searchIcon} />
      </span>
      <input
        data-page-search
        type="search"
        aria-label={texts.tasks.search}
        placeholder={texts.tasks.searchPlaceholder}
        maxLength={200}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          setTyped("");
        }}
        className="min-h-11 w-full rounded-xl border border-edge bg-surface pr-10 pl-10 text-base text-ink outline-none placeholder:text-quiet focus:border-accent"
      />
      <span className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-quiet">
        {typed === "" && <KeyHint name="/" />}
      </span>
    </div>
  );
}
