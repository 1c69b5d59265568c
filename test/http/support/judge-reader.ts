import { expect } from "vitest";
import type { RunReader, SeenEvent } from "./run-reader.ts";

/** A client saw the log as it is in the database: nothing lost, nothing twice, in order. */
export function judgeEvents(reader: RunReader, log: readonly SeenEvent[]): void {
  const where = `run ${reader.runId}, ${reader.connections.map(({ lastEventId, status, end, word }) => `from ${lastEventId}: ${status} ${end} ${word}`).join("; ")}`;
  expect(
    reader.seen.map(({ seq }) => seq),
    where,
  ).toEqual(log.map(({ seq }) => seq));
  expect(reader.seen.map(withoutTime), where).toEqual(log.map(projected));
}

function withoutTime({ seq, type, payload }: SeenEvent): object {
  return { seq, type, payload };
}

/** Of an assistant's message, the parts that only the model may see stay inside. */
function projected({ seq, type, payload }: SeenEvent): object {
  const { parts: _, ...shown } = payload as { parts?: unknown };
  return { seq, type, payload: type === "message" ? shown : payload };
}

/**
 * What a client saw of an answer in progress never contradicts what it was in the end: it grows, a new attempt begins anew, and it
 * is over once the log has it. `said` is all that the model began to say in a step.
 */
export function judgeResponses(
  reader: RunReader,
  log: readonly SeenEvent[],
  said: (step: number) => readonly string[],
): void {
  const ends = new Map(
    log.flatMap(({ seq, type, payload }) => {
      const step = payload as { phase: string; step: number; attempt: number };
      return type === "step" && step.phase === "end"
        ? [[step.step, { seq, attempt: step.attempt }] as const]
        : [];
    }),
  );
  const texts = new Map(
    log.flatMap(({ type, payload }) => {
      const message = payload as { role: string; step: number; content: string };
      return type === "message" && message.role === "assistant"
        ? [[message.step, message.content] as const]
        : [];
    }),
  );
  let before = { step: 0, attempt: 0, text: "", connection: -1 };
  for (const response of reader.answers) {
    const { step, attempt, text, afterSeq, connection } = response;
    const end = ends.get(step);
    const where = `run ${reader.runId} ${JSON.stringify(response)} after ${JSON.stringify(before)}, in the end ${JSON.stringify([end, texts.get(step)])}`;
    if (end) expect(afterSeq, `shown after it was over: ${where}`).toBeLessThan(end.seq);
    if (end?.attempt === attempt) expect(texts.get(step)?.startsWith(text), where).toBe(true);
    else
      expect(
        said(step).some((one) => one.startsWith(text)),
        where,
      ).toBe(true);
    if (connection === before.connection) {
      expect(step * 100 + attempt, where).toBeGreaterThanOrEqual(
        before.step * 100 + before.attempt,
      );
      if (step === before.step && attempt === before.attempt)
        expect(text.startsWith(before.text), where).toBe(true);
    }
    before = { step, attempt, text, connection };
  }
}
