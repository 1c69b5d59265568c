import { BronError } from "@bron/core";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findRun } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { json, line } from "../terminal.ts";

/** Undoes what a run is about to do without an approval. Undoing sends nothing, so it asks nothing. */
export async function undoUnasked(
  context: CommandContext,
  id: string,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const undone = await reachRuntime(context, { work: "none" }, async ({ client }) => {
    const { id: runId } = await findRun(client, id);
    const { effects } = await client.call("GET /api/runs/:id/effects", { params: { id: runId } });
    const waiting = effects.filter(
      ({ state, undoUntil }) => state === "approved" && undoUntil !== null,
    );
    if (waiting.length === 0)
      throw new BronError("approval_closed", "There is nothing to undo in this task.", {
        details: { hint: "What needs no approval can be undone only before it starts." },
      });
    return await Promise.all(
      waiting.map((effect) =>
        client.call("POST /api/effects/:id/undo", { params: { id: effect.id } }),
      ),
    );
  });
  if (options.json === true) json(terminal, { effects: undone });
  else line(terminal, "Undone. Nothing was sent.");
  return 0;
}
