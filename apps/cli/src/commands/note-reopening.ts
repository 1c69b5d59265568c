import type { ApprovalView } from "@bron/protocol";
import { shortId } from "../render/short-id.ts";
import { seconds } from "../render/time.ts";
import { note, type Terminal } from "../terminal.ts";

/** Says how long denials can be undone. Nothing is sent meanwhile, so the command does not wait. */
export function noteReopening(
  terminal: Terminal,
  decided: readonly Pick<ApprovalView, "id" | "reopenUntil">[],
): void {
  for (const { id, reopenUntil } of decided)
    if (reopenUntil !== null)
      note(
        terminal,
        `Final in ${seconds(Math.max(0, Date.parse(reopenUntil) - terminal.now().getTime()))}. Undo: bron approvals undo ${shortId(id)}`,
      );
}
