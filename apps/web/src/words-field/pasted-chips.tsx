import { describeText, visible } from "@bron/protocol";
import { useId, useState } from "react";
import { texts } from "../texts.ts";
import type { PastedText } from "./pasted-texts.ts";
import type { WordsField } from "./use-words.ts";

interface PastedChipsProps {
  readonly field: Pick<
    WordsField<HTMLTextAreaElement | HTMLInputElement>,
    "pasted" | "announcement" | "own" | "remove"
  >;
  /** Says more about what happens to the texts. */
  readonly hint?: string | undefined;
}

/** The texts beside the words of a field. Each can be read, made words, and removed. */
export function PastedChips({ field, hint }: PastedChipsProps) {
  const { pasted, announcement, own, remove } = field;
  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {pasted.length > 0 && (
        <div className="mb-2 px-2">
          <ul aria-label={texts.pasted.list} className="grid gap-2">
            {pasted.map((text) => (
              <Chip
                key={text.id}
                pasted={text}
                onOwn={() => own(text)}
                onRemove={() => remove(text)}
              />
            ))}
          </ul>
          <p className="mt-1.5 text-xs text-quiet">
            {texts.pasted.hint} {hint}
          </p>
        </div>
      )}
    </>
  );
}

function Chip({
  pasted: { text },
  onOwn,
  onRemove,
}: {
  readonly pasted: PastedText;
  onOwn(): void;
  onRemove(): void;
}) {
  const [isOpen, setOpen] = useState(false);
  const body = useId();
  const brief = describeText(visible(text));
  return (
    <li className="min-w-0 rounded-lg border border-edge bg-raised text-sm">
      <div className="flex flex-wrap items-center gap-x-2">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={body}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-9 min-w-0 flex-1 basis-60 items-center gap-2 border-0 bg-transparent px-2.5 py-1.5 text-left text-ink"
        >
          <span aria-hidden="true" className="text-quiet">
            {isOpen ? "▾" : "▸"}
          </span>
          <span className="min-w-0 font-medium sm:shrink-0">{texts.pasted.pasted(brief)}</span>
          <span className="min-w-0 flex-1 basis-0 truncate text-quiet">{brief.start}</span>
        </button>
        <span className="ml-auto flex items-center">
          <button
            type="button"
            title={texts.pasted.mineOf(brief)}
            onClick={onOwn}
            className="min-h-9 border-0 bg-transparent px-2 text-accent underline"
          >
            {texts.pasted.mine}
          </button>
          <button
            type="button"
            aria-label={texts.pasted.remove(brief)}
            onClick={onRemove}
            className="size-9 border-0 bg-transparent p-0 text-quiet hover:text-ink"
          >
            ×
          </button>
        </span>
      </div>
      <p
        id={body}
        hidden={!isOpen}
        tabIndex={0}
        className="max-h-60 overflow-y-auto border-t border-edge px-2.5 py-2 whitespace-pre-wrap wrap-anywhere"
      >
        {visible(text)}
      </p>
    </li>
  );
}
