import { visible } from "@bron/protocol";
import { diffWords } from "../cards/diff-words.ts";

/** The changes of a text. Removed words are struck out, added words are underlined. */
export function SummaryDiff({
  before,
  after,
}: {
  readonly before: string;
  readonly after: string;
}) {
  return (
    <p className="text-sm whitespace-pre-wrap wrap-anywhere">
      {diffWords(visible(before), visible(after)).map(({ kind, text }, index) => {
        if (kind === "same") return <span key={index}>{text}</span>;
        if (kind === "gone")
          return (
            <del key={index} className="mr-1 rounded bg-bad-soft text-bad">
              {text}
            </del>
          );
        return (
          <ins key={index} className="rounded bg-good-soft text-good underline decoration-2">
            {text}
          </ins>
        );
      })}
    </p>
  );
}
