import type { Upkeep } from "@bron/core";
import { createRun } from "./memory-create-run.ts";
import { findBron } from "./memory-brons.ts";
import type { MemoryRun } from "./memory-run.ts";
import { findRun, type MemoryState } from "./memory-state.ts";

export function memoryUpkeep(state: MemoryState): Upkeep {
  return {
    async start({ afterMs, run, limit }) {
      const byBron = Map.groupBy(
        [...state.runs.values()].filter(
          ({ view, upkeepDue }) => upkeepDue && view.finishedAt !== null,
        ),
        ({ view }) => view.bronId,
      );
      let started = 0;
      for (const due of [...byBron.values()].slice(0, limit)) {
        const isTime = due.some(
          ({ view }) => Date.parse(view.finishedAt ?? "") <= state.now() - afterMs,
        );
        if (isTime && startOne(state, due, run)) started++;
      }
      return started;
    },

    async inputOf(ownerId, upkeepRunId) {
      const run = findRun(state, ownerId, upkeepRunId);
      const bron = run && findBron(state, ownerId, run.view.bronId);
      if (!bron || run?.kind !== "upkeep") return undefined;
      const texts = [...state.runs.values()]
        .filter((one) => one.upkeepRunId === upkeepRunId)
        .flatMap((one) => ownersMessages(state, one))
        .toSorted((a, b) => Number(a.id) - Number(b.id));
      return {
        summary: bron.memorySummary,
        version: bron.memoryVersion,
        texts: texts.map(({ content, asTyped }) => ({ content, ...(asTyped ? { asTyped } : {}) })),
      };
    },
  };
}

function startOne(
  state: MemoryState,
  due: readonly MemoryRun[],
  run: Parameters<Upkeep["start"]>[0]["run"],
): boolean {
  const [first] = due;
  const { ownerId = "", bronId = "" } = first?.view ?? {};
  const bron = findBron(state, ownerId, bronId);
  const isActive = [...state.runs.values()].some(
    ({ view, kind }) => kind === "upkeep" && view.bronId === bronId && view.finishedAt === null,
  );
  if (isActive) return false;
  const wasSaid = due.some((one) => ownersMessages(state, one).length > 0);
  const upkeepRunId =
    bron?.memoryOn && wasSaid
      ? createRun(state, {
          ...run,
          ownerId,
          kind: "upkeep",
          input: { ...run.input, bronId },
          idempotencyKey: `upkeep:${first?.view.id ?? ""}:${bron.memoryVersion}`,
        }).run.id
      : undefined;
  for (const one of due) {
    one.upkeepDue = false;
    one.upkeepRunId = upkeepRunId;
  }
  return upkeepRunId !== undefined;
}

/** What the owner typed for a run, or said to it. */
function ownersMessages({ threads }: MemoryState, { view }: MemoryRun) {
  const messages = threads.get(view.threadId)?.messages ?? [];
  return messages.filter(
    ({ runId, role, trusted }) => runId === view.id && role === "user" && trusted,
  );
}
