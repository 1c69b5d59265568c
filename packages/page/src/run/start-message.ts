import { isTerminal, omitUndefined, reportOutcomeName } from "@bron/protocol";
import type { EarlierMessage } from "@bron/core";
import type { PortableLog } from "@bron/memory-store";
import { randomUUID } from "node:crypto";
import type { HistoryMessage } from "../wire.ts";
import { nameActions } from "./action-tools.ts";
import { pageNote } from "./page-note.ts";
import type { OpenedExchange } from "./exchange-options.ts";

/** Starts the run of a message. Calls of the page that are still open end as canceled first. */
export async function startMessage(
  exchange: OpenedExchange,
): Promise<{ readonly ok: true; readonly runId: string }> {
  const { runtime, options } = exchange;
  const { log, visitor, page, input, history } = options;
  if (log) await cancelUnfinished(exchange, log);
  await setUpAgent(exchange);
  const { run } = await runtime.startRun(
    visitor,
    {
      prompt: input.kind === "message" ? input.text : "",
      context: [pageNote(page, randomUUID())],
      ...omitUndefined({ threadId: log?.run.threadId }),
    },
    log ? {} : { earlier: wordsOf(history) },
  );
  return { ok: true, runId: run.id };
}

async function cancelUnfinished(
  { runtime, options }: OpenedExchange,
  { run }: PortableLog,
): Promise<void> {
  const client = runtime.clientFor(options.visitor);
  const { status } = await client.call("GET /api/runs/:id", { params: { id: run.id } });
  if (isTerminal(status)) return;
  await client.call("POST /api/runs/:id/cancel", {
    params: { id: run.id },
    body: { reason: "The visitor wrote something else." },
  });
  for await (const _ of client.events(run.id, { signal: options.signal }));
}

/** Tools of the runtime that page runs have, beside those of the page and the site. */
const ownTools = ["output_read", reportOutcomeName];

/** The site's instruction counts as a template's, so that it asks for nothing and names no one. */
async function setUpAgent({ store, options }: OpenedExchange): Promise<void> {
  const { site, visitor } = options;
  const [bron] = await store.brons.list(visitor);
  if (!bron) return;
  await store.brons.change(visitor, bron.id, {
    systemPrompt: site.instruction,
    personaSource: "template",
    tools: [...ownTools, ...nameActions(site.actions).keys()].toSorted(),
  });
}

/** What a page claims was said. It supplies words, and neither calls nor results. */
function wordsOf(history: readonly HistoryMessage[]): readonly EarlierMessage[] {
  return history.flatMap(({ role, content }) =>
    role === "system" || content.trim() === "" ? [] : [{ role, content }],
  );
}
