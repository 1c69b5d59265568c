import { useState } from "react";
import { Icon } from "../layout/icon.tsx";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";

/** The number of suggestions that are shown at first. */
const initialCount = 6;

export function Suggestions({
  suggestions,
  isFolded = false,
  onChoose,
}: {
  readonly suggestions: readonly string[];
  /** For people who know them. */
  readonly isFolded?: boolean | undefined;
  readonly onChoose: (suggestion: string) => void;
}) {
  const [isAll, setIsAll] = useState(false);
  const [isOpen, setOpen] = useState(false);
  if (suggestions.length === 0) return null;
  if (isFolded && !isOpen)
    return (
      <Button
        kind="quiet"
        className="mt-2 [&>svg]:size-3.5"
        aria-expanded={false}
        onClick={() => setOpen(true)}
      >
        {texts.home.examples}
        <Icon path="m9 6 6 6-6 6" />
      </Button>
    );
  const rest = suggestions.length - initialCount;
  return (
    <section aria-labelledby="suggestions" className="mt-6">
      <h2 id="suggestions" className="m-0 mb-2 text-sm font-semibold text-quiet">
        {texts.examples}
      </h2>
      <ul className="grid gap-2 sm:grid-cols-2">
        {suggestions.slice(0, isAll ? undefined : initialCount).map((suggestion) => (
          <li key={suggestion}>
            <button
              type="button"
              onClick={() => onChoose(suggestion)}
              className="h-full w-full rounded-xl border border-edge bg-surface px-4 py-3 text-left text-sm wrap-anywhere hover:border-accent hover:bg-accent-soft"
            >
              <span className="line-clamp-3">{suggestion}</span>
            </button>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <Button
          kind="quiet"
          className="mt-2"
          aria-expanded={isAll}
          onClick={() => setIsAll(!isAll)}
        >
          {isAll ? texts.fewerSuggestions : texts.moreSuggestions(rest)}
        </Button>
      )}
    </section>
  );
}
