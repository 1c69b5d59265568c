import { useLayoutEffect, useRef, useState } from "react";
import { texts } from "../texts.ts";
import { cx } from "../ui/cx.ts";
import { FileCard } from "./file-card.tsx";
import type { FileItem, WordsItem } from "./item.ts";
import { TextsApart } from "./texts-apart.tsx";

interface OwnerWordsProps {
  readonly item: Omit<WordsItem, "key" | "kind">;
  readonly runId: string;
  readonly files?: readonly FileItem[];
}

/** A message of the owner, on their side of the conversation. */
export function OwnerWords({ item, runId, files = [] }: OwnerWordsProps) {
  const isOwners = item.isFromParent === undefined && item.program === undefined;
  return (
    <div className={cx("flex flex-col gap-2", isOwners && "items-end")}>
      <div
        className={cx(
          "max-w-full min-w-0 rounded-2xl px-4 py-2.5 sm:max-w-[85%]",
          isOwners ? "rounded-br-md bg-bubble" : "border border-edge",
          item.isWaiting && "border border-dashed border-edge bg-transparent",
        )}
      >
        <p className={isOwners ? "sr-only" : "mb-1 text-sm text-quiet"}>{speakerOf(item)}</p>
        {item.asTyped && <p className="mb-1 text-sm text-quiet">{texts.pasted.isMine}</p>}
        <LongText text={item.text.trim()} />
        {item.apart && <TextsApart runId={runId} apart={item.apart} />}
        {item.isWaiting && <p className="mt-1 text-sm text-quiet">{texts.run.unheard}</p>}
      </div>
      {files.length > 0 && (
        <ul aria-label={texts.run.attachedFiles} className="flex flex-wrap justify-end gap-2">
          {files.map((file) => (
            <li key={file.key} className="max-w-full min-w-0">
              <FileCard file={file} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function speakerOf({ isFromParent, program }: OwnerWordsProps["item"]): string {
  if (isFromParent) return texts.run.instructions;
  return program === undefined ? texts.you : texts.pasted.program(program);
}

/** A long message is folded, so that its answer stays in view. */
function LongText({ text }: { readonly text: string }) {
  const ref = useRef<HTMLParagraphElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isLong, setLong] = useState(false);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element && !isOpen) setLong(element.scrollHeight > element.clientHeight + 1);
  }, [text, isOpen]);
  return (
    <>
      <p ref={ref} className={cx("whitespace-pre-wrap wrap-anywhere", !isOpen && "line-clamp-6")}>
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="mt-1 min-h-8 rounded border-0 bg-transparent p-0 text-sm text-accent hover:underline"
        >
          {isOpen ? texts.run.showLess : texts.run.showMore}
        </button>
      )}
    </>
  );
}
