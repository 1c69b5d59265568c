import type { Client } from "@bron/client";
import { BronError } from "@bron/core";
import { describeAskedFor, type AskInWords } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findRun } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { oneLine } from "../render/visible.ts";
import { shortId } from "../render/short-id.ts";
import { json, line } from "../terminal.ts";

interface ListedAsk extends AskInWords {
  readonly isCrossedOut: boolean;
}

/** Lists the requests that Bron read in the owner's words. With a number, crosses one out. */
export async function crossOut(
  context: CommandContext,
  id: string,
  number: string | undefined,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  return await reachRuntime(context, { work: "none" }, async ({ client }): Promise<ExitCode> => {
    const { id: runId } = await findRun(client, id);
    const asks = await readAsks(client, runId);
    if (number !== undefined) {
      const ask = asks[Number(number) - 1];
      if (!ask)
        throw new BronError("invalid_input", `There is no line ${number}.`, {
          details: { hint: `List them with: bron runs cross-out ${shortId(runId)}` },
        });
      await client.call("POST /api/runs/:id/cross-out", {
        params: { id: runId },
        body: { key: ask.key },
      });
    }
    const after = number === undefined ? asks : await readAsks(client, runId);
    if (options.json === true) json(terminal, { asks: after });
    else if (after.length === 0)
      line(terminal, "Bron has read no requests for changes in your words.");
    else
      for (const [index, ask] of after.entries())
        line(
          terminal,
          `${index + 1}  ${oneLine(describeAskedFor(ask))}${ask.isCrossedOut ? " (crossed out)" : ""}`,
        );
    return 0;
  });
}

const pageSize = 1_000;

async function readAsks(client: Client, runId: string): Promise<ListedAsk[]> {
  const asks = new Map<string, AskInWords>();
  const crossedOut = new Set<string>();
  for (let afterSeq = 0; ;) {
    const { events, lastSeq } = await client.call("GET /api/runs/:id/events", {
      params: { id: runId },
      query: { afterSeq, limit: pageSize },
    });
    for (const event of events) {
      if (event.type !== "intent") continue;
      if (event.payload.state === "crossed_out") crossedOut.add(event.payload.key);
      else if (event.payload.state === "read")
        for (const ask of event.payload.asks) asks.set(ask.key, ask);
    }
    const last = events.at(-1);
    if (!last || last.seq >= lastSeq) break;
    afterSeq = last.seq;
  }
  return [...asks.values()].map((ask) => ({ ...ask, isCrossedOut: crossedOut.has(ask.key) }));
}
