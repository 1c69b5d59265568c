import type { Client } from "@bron/client";
import { BronError } from "@bron/core";
import {
  isBrandedError,
  type ApprovalView,
  type EffectView,
  type MemoryEntry,
  type QuestionView,
  type RunView,
  type ThreadView,
} from "@bron/protocol";
import { shortId } from "./render/short-id.ts";

const labels = {
  run: "Run",
  thread: "Thread",
  approval: "Approval",
  question: "Question",
  effect: "Effect",
  memory: "Memory",
} as const;
type Kind = keyof typeof labels;

const fullId = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** More matches are not counted. */
const maxMatches = 50;
const prefix = /^[0-9a-f][0-9a-f-]{5,35}$/i;

/** Finds a run by its full id or by a unique prefix. */
export async function findRun(client: Client, idOrPrefix: string): Promise<RunView> {
  if (fullId.test(idOrPrefix))
    return await client.call("GET /api/runs/:id", { params: { id: idOrPrefix.toLowerCase() } });
  const wanted = checkPrefix("run", idOrPrefix);
  return requireSingle(
    "run",
    idOrPrefix,
    await client.list("GET /api/runs", { idPrefix: wanted, limit: maxMatches }),
  );
}

export async function findThread(client: Client, idOrPrefix: string): Promise<ThreadView> {
  if (fullId.test(idOrPrefix)) {
    const params = { id: idOrPrefix.toLowerCase() };
    const {
      runs: _runs,
      next: _next,
      ...thread
    } = await client.call("GET /api/threads/:id", {
      params,
      query: { limit: 1 },
    });
    return thread;
  }
  const wanted = checkPrefix("thread", idOrPrefix);
  return requireSingle(
    "thread",
    idOrPrefix,
    await client.list("GET /api/threads", { idPrefix: wanted, limit: maxMatches }),
  );
}

/** Which approvals of a run its id stands for, if there is exactly one. */
type ApprovalUse = "any" | "decide" | "undo";

/**
 * Finds an approval by its full id, by a unique prefix, or by the id of a run that has exactly one
 * for this use.
 */
export async function findApproval(
  client: Client,
  idOrPrefix: string,
  use: ApprovalUse = "any",
): Promise<ApprovalView> {
  try {
    return await findApprovalById(client, idOrPrefix);
  } catch (error) {
    if (!isBrandedError(error, "not_found")) throw error;
    const ofRun = await findApprovalOfRun(client, idOrPrefix, use);
    if (!ofRun) throw error;
    return ofRun;
  }
}

async function findApprovalById(client: Client, idOrPrefix: string): Promise<ApprovalView> {
  if (fullId.test(idOrPrefix))
    return await client.call("GET /api/approvals/:id", {
      params: { id: idOrPrefix.toLowerCase() },
    });
  const wanted = checkPrefix("approval", idOrPrefix);
  return requireSingle(
    "approval",
    idOrPrefix,
    await client.list("GET /api/approvals", { idPrefix: wanted, limit: maxMatches }),
  );
}

async function findApprovalOfRun(
  client: Client,
  idOrPrefix: string,
  use: ApprovalUse,
): Promise<ApprovalView | undefined> {
  const idPrefix = idOrPrefix.toLowerCase();
  const [run, ...others] = await client.list("GET /api/runs", { idPrefix, limit: 2 });
  if (!run || others.length > 0) return undefined;
  const all = await client.list("GET /api/approvals", { runId: run.id });
  const found = all.filter(({ state }) =>
    use === "undo" ? state === "approved" : state === "pending",
  );
  const [first, ...rest] = found.length === 0 && use === "any" ? all : found;
  if (!first)
    throw new BronError(
      "not_found",
      `Run ${shortId(run.id)} has no approval ${use === "undo" ? "to undo" : "to decide"}.`,
      { details: { hint: hintFor("approval") } },
    );
  if (rest.length > 0)
    throw new BronError(
      "invalid_input",
      `Run ${shortId(run.id)} has ${rest.length + 1} approvals. Name one of them.`,
      { details: { hint: [first, ...rest].map(({ id }) => shortId(id)).join(", ") } },
    );
  return first;
}

export async function findQuestion(client: Client, idOrPrefix: string): Promise<QuestionView> {
  if (fullId.test(idOrPrefix))
    return await client.call("GET /api/questions/:id", {
      params: { id: idOrPrefix.toLowerCase() },
    });
  const wanted = checkPrefix("question", idOrPrefix);
  return requireSingle(
    "question",
    idOrPrefix,
    await client.list("GET /api/questions", { idPrefix: wanted, limit: maxMatches }),
  );
}

/** Finds an effect by its full id, or an unsettled effect by a unique prefix. */
export async function findEffect(client: Client, idOrPrefix: string): Promise<EffectView> {
  if (fullId.test(idOrPrefix))
    return await client.call("GET /api/effects/:id", { params: { id: idOrPrefix.toLowerCase() } });
  const wanted = checkPrefix("effect", idOrPrefix);
  const { effects } = await client.call("GET /api/effects");
  return requireSingle(
    "effect",
    idOrPrefix,
    effects.filter(({ id }) => id.startsWith(wanted)),
  );
}

export async function findMemory(client: Client, idOrPrefix: string): Promise<MemoryEntry> {
  if (fullId.test(idOrPrefix))
    return await client.call("GET /api/memory/:id", { params: { id: idOrPrefix.toLowerCase() } });
  const wanted = checkPrefix("memory", idOrPrefix);
  return requireSingle(
    "memory",
    idOrPrefix,
    await client.list("GET /api/memory", { idPrefix: wanted, limit: maxMatches }),
  );
}

function checkPrefix(what: Kind, idOrPrefix: string): string {
  if (prefix.test(idOrPrefix)) return idOrPrefix.toLowerCase();
  throw new BronError(
    "invalid_input",
    `"${idOrPrefix}" isn't a valid ID. Use at least the first 6 characters.`,
    { details: { hint: hintFor(what) } },
  );
}

function hintFor(what: Kind): string {
  if (what === "memory") return "List what is remembered with: bron memory list";
  return `List ${what}s with: bron ${what}s list${what === "approval" ? " --all" : ""}`;
}

function requireSingle<T extends { readonly id: string }>(
  what: Kind,
  idOrPrefix: string,
  found: readonly T[],
): T {
  const [first] = found;
  if (!first)
    throw new BronError("not_found", `${labels[what]} ${idOrPrefix} not found.`, {
      details: { hint: hintFor(what) },
    });
  if (found.length > 1)
    throw new BronError(
      "invalid_input",
      `${idOrPrefix} matches ${found.length} ${what}s. Use more characters.`,
    );
  return first;
}
