import type { ApprovalView } from "@bron/protocol";
import { useSnooze } from "../cards/snooze-menu.tsx";
import { texts } from "../texts.ts";
import { inboxWords } from "../words/inbox.ts";
import { Time } from "../time.tsx";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";
import { approvalLine } from "./approval-line.ts";

/** What the owner wants to see later. */
export function SnoozedList({ approvals }: { readonly approvals: readonly ApprovalView[] }) {
  const snooze = useSnooze();
  if (approvals.length === 0) return null;
  return (
    <details>
      <summary className="cursor-pointer px-1 text-sm text-quiet">
        {inboxWords.snoozed(approvals.length)}
      </summary>
      <ul aria-label={inboxWords.snoozedList} className="mt-2 grid gap-2">
        {approvals.map((approval) => (
          <li key={approval.id} className="rounded-xl border border-edge bg-surface p-3">
            <p className="font-medium wrap-anywhere">{approvalLine(approval)}</p>
            <div className="mt-1 flex flex-wrap items-center gap-2 text-sm text-quiet">
              <span>
                {texts.approval.snooze.until} <Time at={approval.snoozedUntil ?? ""} />
              </span>
              <Button
                isBusy={snooze.isPending}
                onClick={() => snooze.mutate({ ids: [approval.id], until: null })}
              >
                {texts.approval.snooze.showNow}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <Problem error={snooze.error} />
    </details>
  );
}
