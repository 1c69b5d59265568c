import { memoryStore } from "@bron/memory-store";
import { openPageRuntime } from "./open-page-runtime.ts";
import { openApprovals, openCalls } from "./open-work.ts";
import { sendResults } from "./send-results.ts";
import { startMessage } from "./start-message.ts";
import type { ExchangeOptions, ExchangeProblem, ExchangeResult } from "./exchange-options.ts";
import { untilWaiting } from "./until-waiting.ts";

/**
 * Advances a conversation by one request: opens its log in a store of its own, lets the runtime work
 * until the run has ended or waits for the page, and reads the longer log out again.
 */
export async function advanceConversation(
  options: ExchangeOptions,
): Promise<ExchangeResult | ExchangeProblem> {
  const { visitor, log, signal } = options;
  const store = memoryStore();
  if (log) store.openLog(log);
  const runtime = await openPageRuntime(options, store);
  const exchange = { runtime, store, options };
  try {
    const sent =
      options.input.kind === "message" ? await startMessage(exchange) : await sendResults(exchange);
    if (!sent.ok) return sent;
    const { runId } = sent;
    const run = await untilWaiting(runtime, { ownerId: visitor, runId }, signal);
    const spentBefore = log?.run.id === runId ? log.run.spentMicrousd : 0;
    return {
      ok: true,
      log: store.readLog({ ownerId: visitor, runId }),
      run,
      calls: await openCalls(exchange, runId),
      approvals: await openApprovals(exchange, runId),
      spentMicrousd: run.spentMicrousd - spentBefore,
    };
  } finally {
    await runtime.close();
  }
}
