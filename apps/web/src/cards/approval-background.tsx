import type { ApprovalView, JsonObject } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../live/queries.ts";
import { QuotedEmail } from "./quoted-email.tsx";
import { Clashes, ScheduleView } from "./schedule-view.tsx";

interface BackgroundProps {
  readonly approval: Pick<ApprovalView, "id" | "digest" | "editable" | "prepared">;
  /** The warning stands above what would be done, everything else below it. */
  readonly part: "warning" | "rest";
  readonly isBusy: boolean;
  onEdit(changes: JsonObject): void;
}

/**
 * What helps to decide: the email that is answered, or the calendar around the time. The card works
 * without it, so nothing is shown while it loads, and nothing if it cannot be read.
 */
export function ApprovalBackground({ approval, part, isBusy, onEdit }: BackgroundProps) {
  const { data } = useQuery(queries.approvalBackground(approval.id, approval.digest));
  if (!data) return null;
  if (data.kind === "answered_email") return part === "rest" && <QuotedEmail {...data} />;
  if (part === "rest") return <ScheduleView schedule={data} prepared={approval.prepared} />;
  const { editable } = approval;
  const canMove = editable?.["start"] !== undefined && editable["end"] !== undefined;
  return <Clashes schedule={data} isBusy={isBusy} onMove={canMove ? onEdit : undefined} />;
}
