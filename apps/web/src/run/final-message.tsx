import { useRef, useState } from "react";
import { texts } from "../texts.ts";
import { Markdown } from "./markdown.tsx";
import { printElement } from "./print-element.ts";

/** The answer of a task, typeset for reading, with buttons to copy and print it. */
export function FinalMessage({ text }: { readonly text: string }) {
  const body = useRef<HTMLDivElement>(null);
  return (
    <section aria-label={texts.run.answer} tabIndex={-1} data-answer className="outline-none">
      <div ref={body} className="answer">
        <Markdown text={text} />
      </div>
      <div className="mt-1.5 -ml-2 flex items-center gap-1 print:hidden">
        <CopyButton text={text} label={texts.run.copyMessage} />
        <button
          type="button"
          onClick={() => body.current && printElement(body.current)}
          className="inline-flex min-h-9 items-center rounded-lg border-0 bg-transparent px-2 text-sm text-quiet hover:bg-raised hover:text-ink"
        >
          {texts.run.print}
          <span className="sr-only"> {texts.run.theMessage}</span>
        </button>
      </div>
    </section>
  );
}

const shownMs = 2_000;

/** Copies a text and says so. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const copy = async () => {
    clearTimeout(timer.current);
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
    } catch {
      setState("failed");
    }
    timer.current = setTimeout(() => setState("idle"), shownMs);
  };
  return (
    <>
      <button
        type="button"
        aria-label={label}
        onClick={() => void copy()}
        className="inline-flex min-h-9 items-center rounded-lg border-0 bg-transparent px-2 text-sm text-quiet hover:bg-raised hover:text-ink"
      >
        {texts.run.copyStates[state]}
      </button>
      <span role="status" className="sr-only">
        {state === "idle" ? "" : texts.run.copyStates[state]}
      </span>
    </>
  );
}
