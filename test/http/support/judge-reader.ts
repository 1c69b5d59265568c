import { expect } from "vitest";
import type { RunReader, SeenEvent } from "./run-reader.ts";

/** A client saw the log as it is in the database, in order, without a loss or a duplicate. */
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

/** Clients do not receive the message parts that only the model may see. */
function projected({ seq, type, payload }: SeenEvent): object {
  const { parts: _, ...shown } = payload as { parts?: unknown };
  return { seq, type, payload: type === "message" ? shown : payload };
}

/**
 * The partial text that a client saw never contradicts the final message. It grows, starts over
 * with a new attempt, and is not shown after the log has the message. `textsOf` returns all texts
 * that the model started in a step.
 */
export function judgePartialTexts(
  reader: RunReader,
  log: readonly SeenEvent[],
  textsOf: (step: number) => readonly string[],
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
  for (const response of reader.partialTexts) {
    const { step, attempt, text, afterSeq, connection } = response;
    const end = ends.get(step);
    const where = `run ${reader.runId} ${JSON.stringify(response)} after ${JSON.stringify(before)}, in the end ${JSON.stringify([end, texts.get(step)])}`;
    if (end) expect(afterSeq, `shown after it was over: ${where}`).toBeLessThan(end.seq);
    if (end?.attempt === attempt) expect(texts.get(step)?.startsWith(text), where).toBe(true);
    else
      expect(
        textsOf(step).some((one) => one.startsWith(text)),
        where,
      ).toBe(true);
    expect(`Thinking in turn ${step - 1}`.startsWith(response.thoughts), where).toBe(true);
    if (connection === before.connection) {
      expect(step * 100 + attempt, where).toBeGreaterThanOrEqual(
        before.step * 100 + before.attempt,
      );
      if (step === before.step && attempt === before.attempt)
        expect(text.startsWith(before.text), where).toBe(true);
    }
    before = { step, attempt, text, connection };
  }
  for (const { actionId, message } of reader.reported) {
    expect(message).toBe(`Reading in ${actionId}`);
    const start = log.find(
      ({ type, payload }) =>
        type === "tool" && (payload as { actionId: string }).actionId === actionId,
    );
    expect(start, `run ${reader.runId} has no call ${actionId}`).toBeDefined();
  }
}
