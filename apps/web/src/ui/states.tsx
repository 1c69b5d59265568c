import { ClientError } from "@bron/client";
import { describeProblem, problemReasonOf } from "@bron/protocol";
import type { ReactNode } from "react";
import { texts } from "../texts.ts";
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

export function Loading() {
  return (
    <p role="status" className="animate-pulse py-6 text-quiet">
      {texts.loading}
    </p>
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
