import { BronError } from "@bron/core";
import { isTerminal, type ThreadView } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findThread } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { shortId } from "../render/short-id.ts";
import { oneLine } from "../render/visible.ts";
import { json, line, note, type Terminal } from "../terminal.ts";

export interface DeleteOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

export async function deleteThread(
  context: CommandContext,
  id: string,
  options: DeleteOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  return await reachRuntime<ExitCode>(context, { work: "none" }, async ({ client }) => {
    const thread = await findThread(client, id);
    if (options.yes !== true && !(await isSure(terminal, thread))) {
      note(terminal, "Nothing was deleted.");
      return 3;
    }
    await client.call("DELETE /api/threads/:id", { params: { id: thread.id } });
    if (options.json === true) json(terminal, { deleted: thread.id });
    else line(terminal, `Deleted "${oneLine(thread.title)}".`);
    return 0;
  });
}

async function isSure(
  terminal: Terminal,
  { id, title, runCount, status }: ThreadView,
): Promise<boolean> {
  if (!terminal.canAsk)
    throw new BronError("invalid_input", "Not a terminal: use --yes.", {
      details: { hint: `bron threads delete ${shortId(id)} --yes` },
    });
  const what = runCount === 1 ? "its run" : `its ${runCount} runs`;
  const response = await terminal.ask(
    `Delete "${oneLine(title)}" with ${what} and all their files?${isTerminal(status) ? "" : " Its task is still running and will be stopped."} This can't be undone. [y/N] `,
  );
  if (terminal.stop.aborted) throw new BronError("interrupted", "Nothing was deleted.");
  return /^y(?:es)?$/i.test(response.trim());
}
