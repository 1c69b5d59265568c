import type { Client } from "@bron/client";
import { closingReasonOf, describeClosing, visible, type ApprovalView } from "@bron/protocol";
import { BronError } from "@bron/core";
import { shortId } from "./render/short-id.ts";
import { seconds } from "./render/time.ts";
import { approveWords } from "./render/tool-words.ts";
import { hint, note, type Terminal } from "./terminal.ts";

/**
 * Says how long these approvals can be undone. In a terminal it counts down, and a key undoes them.
 */
export async function waitForUndo(
  terminal: Terminal,
  client: Client,
  approved: readonly ApprovalView[],
): Promise<void> {
  const open = approved.filter(({ undoUntil }) => undoUntil !== null);
  const [first] = open;
  if (!first) return;
  const ends = open.map(({ undoUntil }) => Date.parse(undoUntil ?? ""));
  const ms = Math.max(0, Math.min(...ends) - terminal.now().getTime());
  const { doing } = approveWords(first.tool);
  if (!terminal.canAsk) {
    const which = open.length === 1 ? shortId(first.id) : "<ID>";
    hint(terminal, `${doing} in ${seconds(ms)}. Undo: bron approvals undo ${which}`);
    return;
  }
  const isUndone = await terminal.waitForKey("u", {
    ms,
    say: (left) => `${doing} in ${left}s. Press u to undo.`,
  });
  if (!isUndone) return;
  try {
    for (const { id } of open)
      await client.call("POST /api/approvals/:id/undo", { params: { id } });
    note(terminal, "Undone. Nothing was sent.");
  } catch (error) {
    if (!BronError.is(error)) throw error;
    const why = closingReasonOf(error.details);
    note(terminal, why ? describeClosing({ why }) : visible(error.message));
  }
}
