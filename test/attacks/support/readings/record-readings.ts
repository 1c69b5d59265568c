import type { RunModel } from "@bron/core";
import { askModel } from "./ask-model.ts";
import type { ReadingCase } from "./reading-requests.ts";
import { saveRecordings, type RecordedReading, type Recordings } from "./recordings.ts";

/** Recording ends at the first limit that is reached. */
interface Bounds {
  readonly requests: number;
  readonly tokens: number;
  readonly microusd: number;
  readonly ms: number;
}

interface RecordOptions {
  readonly model: RunModel;
  readonly file: string;
  readonly bounds: Bounds;
  /** What was recorded before. Its requests are not asked again. */
  readonly before: Recordings | undefined;
  readonly onProgress: (message: string) => void;
}

const lanes = 4;
/** A request may cost at most this share of the money, so that the lanes cannot exceed it together. */
const maxShare = 1 / 20;
const savedEvery = 25;

/**
 * Asks the model for every reading that is not recorded, and saves what it returns. Ends early at
 * the first bound. A request that fails is not recorded, so that the next time asks it again.
 */
export async function recordReadings(
  cases: readonly ReadingCase[],
  { model, file, bounds, before, onProgress }: RecordOptions,
): Promise<Recordings> {
  const readings: Record<string, RecordedReading> = { ...before?.readings };
  const open = cases.filter(({ digest }) => !(digest in readings)).slice(0, bounds.requests);
  const perRequest = Math.floor(bounds.microusd * maxShare);
  const endsAt = performance.now() + bounds.ms;
  const spent = { tokens: 0, microusd: 0, reserved: 0, done: 0 };
  const recordings = (): Recordings => ({
    model: model.name,
    date: new Date().toISOString().slice(0, 10),
    readings,
  });
  const bound = () =>
    performance.now() >= endsAt
      ? "time"
      : spent.tokens >= bounds.tokens
        ? "tokens"
        : spent.microusd + spent.reserved + perRequest > bounds.microusd
          ? "money"
          : undefined;
  const lane = async () => {
    for (;;) {
      const reached = bound();
      if (reached !== undefined) return reached;
      const next = open.shift();
      if (!next) return undefined;
      spent.reserved += perRequest;
      const asked = await askModel(model, next, perRequest);
      spent.reserved -= perRequest;
      spent.microusd += asked.costMicrousd;
      spent.tokens += asked.ok ? asked.inputTokens + asked.outputTokens : asked.tokens;
      if (asked.ok) {
        const { ok: _, ...reading } = asked;
        readings[next.digest] = reading;
      } else onProgress(`No reading (${asked.error}): ${next.prompt}`);
      if (++spent.done % savedEvery === 0) {
        onProgress(`${spent.done} asked, ${open.length} to go`);
        await saveRecordings(file, recordings());
      }
    }
  };
  const reached = await Promise.all(Array.from({ length: lanes }, lane));
  const [first] = reached.filter((name) => name !== undefined);
  if (first !== undefined) onProgress(`Ended at the limit of ${first}, with ${open.length} to go`);
  if (spent.done > 0) await saveRecordings(file, recordings());
  return recordings();
}
