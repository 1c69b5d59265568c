import { BronError } from "@bron/core";
import { omitUndefined } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import { canAskInPlace, showAndAsk } from "../ask-in-place.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findBron } from "../find-bron.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { hint, note } from "../terminal.ts";

export interface TalkOptions {
  readonly bron?: string;
  readonly thread?: string;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

/** Runs one task after the other in one conversation, until an empty line or Ctrl-C. */
export async function talk(context: CommandContext, options: TalkOptions): Promise<ExitCode> {
  const { terminal } = context;
  if (!canAskInPlace(terminal, { json: options.json === true }))
    throw new BronError("invalid_input", "A chat needs a terminal.", {
      details: { hint: 'Run one task instead: bron run "What is 17% of 2340?"' },
    });
  return await reachRuntime(context, { work: "own" }, async (reached) => {
    const { client } = reached;
    const bronId =
      options.bron === undefined ? undefined : (await findBron(client, options.bron)).id;
    let threadId = options.thread;
    for (let code: ExitCode = 0; ;) {
      const { words, pasted } = await terminal.askWords("You: ");
      if (terminal.stop.aborted || (words.trim() === "" && pasted.length === 0)) {
        if (threadId !== undefined)
          hint(terminal, `Continue this conversation: bron chat --thread ${threadId}`);
        return code;
      }
      const run = await client.call("POST /api/runs", {
        body: {
          prompt: words,
          ...omitUndefined({
            bronId: threadId === undefined ? bronId : undefined,
            threadId,
            context: pasted.length > 0 ? [...pasted] : undefined,
          }),
        },
        idempotencyKey: randomUUID(),
      });
      ({ threadId } = run);
      code = await showAndAsk(terminal, reached, {
        runId: run.id,
        afterSeq: 0,
        json: false,
        verbose: options.verbose,
      });
      note(terminal, "");
    }
  });
}
