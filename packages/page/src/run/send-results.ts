import type { JsonValue } from "@bron/protocol";
import type { ToolCallResult } from "../wire.ts";
import { openApprovals, openCalls } from "./open-work.ts";
import { pageData } from "./page-note.ts";
import type { OpenedExchange, ExchangeProblem } from "./exchange-options.ts";

/**
 * Gives the run the results of all its open calls, and the visitor's decisions on its approvals. The
 * last result brings the page as it is afterwards. A result for another call, two for one, or none
 * changes nothing.
 */
export async function sendResults(
  exchange: OpenedExchange,
): Promise<{ readonly ok: true; readonly runId: string } | ExchangeProblem> {
  const { log, input, page } = exchange.options;
  const results = input.kind === "results" ? input.results : [];
  const runId = log?.run.id;
  if (runId === undefined) return { ok: false, why: "nothing_open" };
  const open = await openCalls(exchange, runId);
  const approvals = await openApprovals(exchange, runId);
  if (open.length === 0 && approvals.length === 0) return { ok: false, why: "nothing_open" };
  const ids = new Set(open.map(({ id }) => id));
  const given = new Set(results.map(({ callId }) => callId));
  const isExact =
    given.size === results.length &&
    given.size === ids.size &&
    [...given].every((id) => ids.has(id));
  if (!isExact) return { ok: false, why: "unknown_call" };
  await decideApprovals(exchange, approvals);
  for (const [index, result] of results.entries()) {
    const isLast = index === results.length - 1;
    await finish(exchange, runId, result, isLast ? pageData(page) : undefined);
  }
  return { ok: true, runId };
}

async function finish(
  { runtime, options }: OpenedExchange,
  runId: string,
  { callId, result, isError = false }: ToolCallResult,
  page: JsonValue | undefined,
): Promise<void> {
  const client = runtime.clientFor(options.visitor);
  const params = { id: runId, actionId: callId };
  const { secret } = await client.call("POST /api/runs/:id/actions/:actionId/take", { params });
  const value = parseResult(result);
  // An error has no place for the page, so that the last one is a result that says what went wrong.
  const body = isError
    ? page === undefined
      ? { secret, error: typeof value === "string" ? value : result }
      : { secret, result: { error: value, page } }
    : { secret, result: page === undefined ? { result: value } : { result: value, page } };
  await client.call("POST /api/runs/:id/actions/:actionId/finish", { params, body });
}

function parseResult(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

async function decideApprovals(
  { runtime, options }: OpenedExchange,
  approvals: Awaited<ReturnType<typeof openApprovals>>,
): Promise<void> {
  const client = runtime.clientFor(options.visitor);
  for (const approval of approvals) {
    const choice = await options.choiceFor(approval);
    const request = { params: { id: approval.id }, body: { digest: approval.digest } };
    if (choice === "approved") await client.call("POST /api/approvals/:id/approve", request);
    if (choice === "denied") await client.call("POST /api/approvals/:id/deny", request);
  }
}
