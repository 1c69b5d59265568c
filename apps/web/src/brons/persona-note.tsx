import type { BronView } from "@bron/protocol";
import { useId } from "react";
import { texts } from "../texts.ts";
import { bronsWords } from "../words/brons.ts";
import { useFocusAfter } from "../ui/use-focus-after.ts";

interface PersonaNoteProps {
  readonly source: Exclude<BronView["personaSource"], "typed">;
  readonly isBusy: boolean;
  onConfirm(): void;
}

/** Says that the instructions are not the owner's words, until the owner says that they are. */
export function PersonaNote({ source, isBusy, onConfirm }: PersonaNoteProps) {
  const words = useId();
  const note = useFocusAfter<HTMLDivElement>((panel) => panel?.querySelector("textarea"));
  return (
    <div
      ref={note}
      className="flex flex-wrap items-center gap-x-3 rounded-lg border border-edge bg-raised px-3 py-1 text-sm"
    >
      <p id={words} className="min-w-0 flex-1 basis-72 py-1.5 text-quiet">
        {bronsWords.personaNotes[source]}
      </p>
      <button
        type="button"
        aria-describedby={words}
        aria-disabled={isBusy || undefined}
        onClick={isBusy ? undefined : onConfirm}
        className="min-h-9 border-0 bg-transparent text-accent underline"
      >
        {isBusy ? texts.saving : texts.pasted.mine}
      </button>
    </div>
  );
}
