import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findRun } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { readWords } from "../read-words.ts";
import { shortId } from "../render/short-id.ts";
import { json, line } from "../terminal.ts";

/** Says something to a run. One that has ended gets it as the next task of its thread. */
export async function say(
  context: CommandContext,
  id: string,
  words: string | undefined,
  options: { readonly wordsFromStdin?: boolean; readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const { words: content, ...rest } = await readWords(terminal, {
    words,
    wordsFromStdin: options.wordsFromStdin,
    question: "Say: ",
  });
  return await reachRuntime(context, { work: "none" }, async ({ client }): Promise<ExitCode> => {
    const { id: runId } = await findRun(client, id);
    const said = await client.call("POST /api/runs/:id/messages", {
      params: { id: runId },
      body: { content, ...rest },
    });
    if (options.json === true) json(terminal, said);
    else if (said.isNewTask)
      line(
        terminal,
        `Run ${shortId(runId)} had ended, so this starts run ${shortId(said.run.id)}.`,
      );
    else line(terminal, `Run ${shortId(runId)} will read this after its current step.`);
    return 0;
  });
}
