import { Link } from "@tanstack/react-router";
import { texts } from "../texts.ts";
import { Panel } from "../ui/panel.tsx";

export interface BatchOutcome {
  readonly id: string;
  readonly what: string;
  readonly runId: string;
  readonly as?: "approved" | "denied";
  readonly error?: string;
}

/** What came of each. */
export function BatchOutcomes({ outcomes }: { readonly outcomes: readonly BatchOutcome[] }) {
  if (outcomes.length === 0) return null;
  return (
    <div role="status" className="mb-6">
      <Panel title={texts.inbox.outcomes}>
        <ul className="grid gap-2">
          {outcomes.map(({ id, what, runId, as, error }) => (
            <li key={id} className="flex flex-wrap items-baseline gap-x-3 wrap-anywhere">
              <span className={error === undefined ? "font-medium text-good" : "font-medium text-bad"}>{error ?? (as && texts.inbox[as])}</span>
              <span>{what}</span>
              <Link to="/runs/$runId" params={{ runId }} className="text-sm">
                {texts.inbox.openRun}
              </Link>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}
