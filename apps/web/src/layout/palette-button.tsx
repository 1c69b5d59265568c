import { isMac } from "../platform.ts";
import { texts } from "../texts.ts";
import { Icon } from "./icon.tsx";

export const searchIcon = "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM20 20l-4-4";

/** Looks like a field, and opens the palette. */
export function PaletteButton({ onClick }: { onClick(): void }) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      title={texts.palette.title}
      onClick={onClick}
      className="flex min-h-9 w-full items-center gap-2 rounded-lg border border-edge bg-surface px-2.5 text-sm text-quiet transition-colors hover:text-ink [&>svg]:size-4"
    >
      <Icon path={searchIcon} />
      {texts.palette.title}
      <kbd
        aria-hidden="true"
        className="ml-auto rounded border border-edge px-1 font-sans text-[0.7rem] whitespace-nowrap"
      >
        {isMac ? "⌘K" : "Ctrl K"}
      </kbd>
    </button>
  );
}
