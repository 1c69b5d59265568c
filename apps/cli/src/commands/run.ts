import type { Client } from "@bron/client";
import { BronError } from "@bron/core";
import { omitUndefined, type CreateRun, type Place, type RunView } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { showAndAsk } from "../ask-in-place.ts";
import { microusd } from "../config.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findBron } from "../find-bron.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { readWords } from "../read-words.ts";
import { shortId } from "../render/short-id.ts";
import { findServer } from "../server/home-claim.ts";

import { hint, json, line, note } from "../terminal.ts";
import { uploadFiles } from "../upload-files.ts";

export interface RunOptions {
  readonly title?: string;
  readonly thread?: string;
  readonly bron?: string;
  readonly file?: readonly string[];
  readonly maxDollars?: number;
  readonly model?: string;
  readonly folder?: string;
  readonly wordsFromStdin?: boolean;
  readonly detach?: boolean;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

const doWhatItSays = "Do what the text says that came with this task.";

/** Runs a task. What is piped in is context, also if `-` says that there is nothing else. */
export async function runTask(
  context: CommandContext,
  task: string | undefined,
  options: RunOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  const { words: prompt, context: texts } = await readWords(terminal, {
    words: task,
    wordsFromStdin: options.wordsFromStdin,
    question: "What can I do for you? ",
    withoutWords: doWhatItSays,
  });
  const input: CreateRun = {
    prompt,
    ...omitUndefined({
      context: texts,
      title: options.title,
      threadId: options.thread,
      model: options.model,
      caps:
        options.maxDollars === undefined
          ? undefined
          : { costMicrousd: microusd(options.maxDollars) },
      place: options.folder === undefined ? undefined : await placeOf(context, options.folder),
    }),
  };
  if (options.detach === true) return await createInBackground(context, input, options);

  return await reachRuntime(context, { work: "own" }, async (reached) => {
    if (terminal.stop.aborted)
      throw new BronError("interrupted", "Stopped before the run was created.", {
        details: { hint: "Nothing was started. Run the command again." },
      });
    const run = await createRun(reached.client, input, options);
    if (options.json !== true)
      note(
        terminal,
        `Run ${shortId(run.id)} ${"url" in reached.by ? `at ${reached.by.url}` : `with ${reached.by.model}`}`,
      );
    return await showAndAsk(terminal, reached, {
      runId: run.id,
      afterSeq: 0,
      json: options.json === true,
      verbose: options.verbose,
    });
  });
}

/** Creates a run of the named Bron, with the named files. */
async function createRun(
  client: Client,
  input: CreateRun,
  { bron, file = [] }: Pick<RunOptions, "bron" | "file">,
): Promise<RunView> {
  const bronId = bron === undefined ? undefined : (await findBron(client, bron)).id;
  const uploadIds = file.length === 0 ? undefined : await uploadFiles(client, file);
  return await client.call("POST /api/runs", {
    body: { ...input, ...omitUndefined({ bronId, uploadIds }) },
    idempotencyKey: randomUUID(),
  });
}

/** Loaded only here, because loading the runtime takes most of a short command's time. */
async function placeOf({ config }: CommandContext, folder: string): Promise<Place> {
  const { homeMachineId } = await import("@bron/runtime");
  return { machine: await homeMachineId(config.home), folder: resolve(folder) };
}

async function createInBackground(
  context: CommandContext,
  input: CreateRun,
  options: RunOptions,
): Promise<ExitCode> {
  const { terminal, config } = context;
  const run = await reachRuntime(
    context,
    { work: "none" },
    async ({ client }) => await createRun(client, input, options),
  );
  if (options.json === true) json(terminal, { run });
  else line(terminal, run.id);
  const server = await findServer(config.home);
  const state = server
    ? "Started."
    : config.databaseUrl === undefined
      ? "The server isn't running. Start it to begin: bron start."
      : "The next free worker starts it.";
  hint(terminal, `${state} Follow it with: bron logs ${shortId(run.id)} -f`);
  return 0;
}
