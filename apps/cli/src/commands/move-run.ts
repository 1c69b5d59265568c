import { BronError } from "@bron/core";
import { describePlace, type Place } from "@bron/protocol";
import { homeMachineId } from "@bron/runtime";
import { resolve } from "node:path";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findRun } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { shortId } from "../render/short-id.ts";
import { oneLine } from "../render/visible.ts";
import { json, line } from "../terminal.ts";

export interface MoveOptions {
  readonly folder?: string;
  readonly machine?: string;
  readonly anywhere?: boolean;
  readonly json?: boolean;
}

/** Moves a run to a folder of this or another machine, or lets any worker continue it. */
export async function moveRun(
  context: CommandContext,
  id: string,
  options: MoveOptions,
): Promise<ExitCode> {
  const { terminal, config } = context;
  const place = await placeFrom(config.home, options);
  const run = await reachRuntime(context, { work: "none" }, async ({ client }) => {
    const found = await findRun(client, id);
    return await client.call("POST /api/runs/:id/place", {
      params: { id: found.id },
      body: { place },
    });
  });
  if (options.json === true) json(terminal, { run });
  else line(terminal, `Run ${shortId(run.id)} can continue ${where(run.place)}.`);
  return 0;
}

const where = (place: Place | null) =>
  place === null ? "anywhere" : `in ${oneLine(describePlace(place))}`;

async function placeFrom(
  home: string,
  { folder, machine, anywhere = false }: MoveOptions,
): Promise<Place | null> {
  if (anywhere && folder === undefined && machine === undefined) return null;
  if (anywhere || folder === undefined)
    throw new BronError("invalid_input", "Give either --folder <path> or --anywhere.");
  // A folder of another machine is that machine's to resolve.
  return machine === undefined
    ? { machine: await homeMachineId(home), folder: resolve(folder) }
    : { machine, folder };
}
