import { visible, type ApprovalView } from "@bron/protocol";
import { texts } from "../texts.ts";
import { formatFieldTime } from "./event-span.tsx";
import { diffWords } from "./diff-words.ts";

/** The changes of an edit by field. Removed text is struck out, added text is underlined. */
export function DiffList({ diff }: { readonly diff: ApprovalView["diff"] }) {
  const title = texts.approval.changes;
  if (diff.length === 0) return null;
  return (
    <section aria-label={title} className="mb-4 rounded-lg border border-edge bg-surface p-3">
      <h3 className="m-0 mb-2 text-sm font-semibold">{title}</h3>
      <dl className="grid gap-2 text-sm">
        {diff.map(({ field, before, after }) => (
          <div key={field} className="grid gap-x-3 sm:grid-cols-[6rem_minmax(0,1fr)]">
            <dt className="text-quiet">{texts.approval.fields[field] ?? field}</dt>
            <dd className="whitespace-pre-wrap wrap-anywhere">
              {diffWords(display(field, before), display(field, after)).map(
                ({ kind, text }, index) => {
                  if (kind === "same") return <span key={index}>{text}</span>;
                  if (kind === "gone")
                    return (
                      <del key={index} className="mr-1 rounded bg-bad-soft text-bad">
                        {text}
                      </del>
                    );
                  return (
                    <ins
                      key={index}
                      className="rounded bg-good-soft text-good underline decoration-2"
                    >
                      {text}
                    </ins>
                  );
                },
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function display(field: string, text: string): string {
  return (
    visible(field === "start" || field === "end" ? formatFieldTime(text) : text) ||
    texts.approval.nothing
  );
}
