import type { Client } from "@bron/client";
import { BronError } from "@bron/core";
import { describeText, visible, type SplitWords } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findRun } from "../find-by-id.ts";
import { linesOf } from "../paste-filter.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { oneLine } from "../render/visible.ts";
import { shortId } from "../render/short-id.ts";
import { json, line } from "../terminal.ts";

type TextApart = SplitWords["apart"][number];

interface ListedText extends TextApart {
  readonly isPutBack: boolean;
}

/** Lists the texts beside the owner's words. With a number, says that one of them is the owner's. */
export async function putBack(
  context: CommandContext,
  id: string,
  number: string | undefined,
  options: { readonly full?: boolean; readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  return await reachRuntime(context, { work: "none" }, async ({ client }): Promise<ExitCode> => {
    const { id: runId } = await findRun(client, id);
    const texts = await readTexts(client, runId);
    if (number === undefined) {
      if (options.json === true) json(terminal, { texts });
      else if (texts.length === 0) line(terminal, "All of your words count as yours.");
      else
        for (const [index, text] of texts.entries())
          for (const shown of describe(text, index, options.full === true)) line(terminal, shown);
      return 0;
    }
    const text = texts[Number(number) - 1];
    if (!text)
      throw new BronError("invalid_input", `There is no text ${number}.`, {
        details: { hint: `List them with: bron runs put-back ${shortId(runId)}` },
      });
    const said = await client.call("POST /api/runs/:id/put-back", {
      params: { id: runId },
      body: { digest: text.digest },
    });
    if (options.json === true) json(terminal, said);
    else
      line(
        terminal,
        said.isNewTask
          ? `Run ${shortId(runId)} had ended, so this starts run ${shortId(said.run.id)}.`
          : `${linesOf(text.text)} count as your words. Run ${shortId(runId)} will read them after its current step.`,
      );
    return 0;
  });
}

function describe({ text, from, isPutBack }: ListedText, index: number, isFull: boolean): string[] {
  const what = from === "words" ? "taken out of your words" : "context";
  const state = isPutBack ? " (counts as your words)" : "";
  const head = `${index + 1}  ${linesOf(text)}, ${what}${state}: `;
  if (!isFull) return [`${head}${oneLine(describeText(text).start)}`];
  return [
    head.trimEnd(),
    ...visible(text.trimEnd())
      .split("\n")
      .map((shown) => `   ${shown}`),
  ];
}

const pageSize = 1_000;

async function readTexts(client: Client, runId: string): Promise<ListedText[]> {
  const texts = new Map<string, TextApart>();
  const putBackTexts = new Set<string>();
  for (let afterSeq = 0; ;) {
    const { events, lastSeq } = await client.call("GET /api/runs/:id/events", {
      params: { id: runId },
      query: { afterSeq, limit: pageSize },
    });
    for (const { type, payload } of events) {
      if ("split" in payload)
        for (const text of payload.split?.apart ?? []) texts.set(text.digest, text);
      if (type === "owner_message" && payload.asTyped) putBackTexts.add(payload.content);
    }
    const last = events.at(-1);
    if (!last || last.seq >= lastSeq) break;
    afterSeq = last.seq;
  }
  return [...texts.values()].map((text) => ({ ...text, isPutBack: putBackTexts.has(text.text) }));
}
