import { ClientError } from "@bron/client";
import { describeProblem, problemReasonOf } from "@bron/protocol";
import type { ReactNode } from "react";
import { texts } from "../texts.ts";
import { cx } from "./cx.ts";
import { Button } from "./button.tsx";

/** An empty state: what this place is for, and the first thing to do. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="rounded-xl border border-dashed border-edge px-6 py-10 text-center">
      <p className="font-medium">{title}</p>
      {children !== undefined && (
        <div className="mx-auto mt-2 max-w-prose text-quiet">{children}</div>
      )}
    </div>
  );
}

const rowWidths = ["w-1/2", "w-2/3", "w-2/5", "w-3/5"];

/** The shape of a list that is about to be there. */
export function Loading({ rows = 4 }: { readonly rows?: number }) {
  return (
    <div role="status" className="arrive-late py-2">
      <span className="sr-only">{texts.loading}</span>
      <div
        aria-hidden="true"
        className="animate-pulse divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-surface"
      >
        {Array.from({ length: rows }, (_, index) => (
          <div key={index} className="flex items-center gap-4 px-4 py-4">
            <span className="size-8 shrink-0 rounded-full bg-raised" />
            <span className="grid min-w-0 flex-1 gap-2">
              <span className={cx("h-3.5 rounded bg-raised", rowWidths[index % 4])} />
              <span className="h-3 w-1/4 rounded bg-raised" />
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** An error and its hint. */
export function Problem({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
}) {
  if (error === null || error === undefined) return null;
  return (
    <div role="alert" className="my-3 rounded-lg border border-bad bg-bad-soft px-4 py-3 text-sm">
      <p className="font-medium text-bad">{wordsOf(error)}</p>
      {ClientError.is(error) && !saysWhatToDo(error) && (
        <p className="mt-1 text-ink">{error.hint}</p>
      )}
      {onRetry && (
        <Button className="mt-2" onClick={onRetry}>
          {texts.tryAgain}
        </Button>
      )}
    </div>
  );
}

export function wordsOf(error: unknown): string {
  if (ClientError.is(error)) {
    const { details, message } = error;
    return describeProblem({ why: problemReasonOf(details), message }, texts.problems);
  }
  return error instanceof Error ? error.message : String(error);
}

/** The hint for all conflicts is wrong beside a conflict that has a reason of its own. */
function saysWhatToDo({ code, details }: ClientError): boolean {
  return code === "conflict" && problemReasonOf(details) !== undefined;
}
