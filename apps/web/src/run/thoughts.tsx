import { texts } from "../texts.ts";

/** What the model is thinking, folded. It goes once the model's message is in the log. */
export function Thoughts({ text }: { readonly text: string }) {
  return (
    <details className="mb-3 pl-10">
      <summary className="w-fit cursor-pointer rounded text-quiet hover:text-accent">
        <span className="animate-pulse">{texts.run.thinking}</span>
      </summary>
      <p
        tabIndex={0}
        aria-label={texts.run.thoughts}
        role="group"
        className="mt-2 max-h-64 overflow-auto rounded-lg border border-edge bg-surface p-3 text-sm whitespace-pre-wrap text-quiet wrap-anywhere"
      >
        {text}
      </p>
    </details>
  );
}
