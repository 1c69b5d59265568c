import { lowerCaps, omitUndefined, type Caps } from "@bron/protocol";
import type { NewRun } from "../ports/runs/runs.ts";
import type { Schedule } from "../ports/schedules.ts";

interface Occasion {
  /** Unique among the occasions of the schedule. The same occasion never starts two runs. */
  readonly key: string;
  readonly dueAt: string | null;
  readonly caps: Caps;
  /** What a watch found. It is untrusted. */
  readonly context?: readonly string[];
}

/** The run of a schedule at one occasion. Its caps are at most those of the runtime. */
export function scheduledRun(
  { id, ownerId, bronId, title, prompt, program, caps: own, trustLevel }: Schedule,
  { key, dueAt, caps, context }: Occasion,
): NewRun {
  return {
    ownerId,
    input: { prompt, bronId, ...(context ? { context: [...context] } : {}) },
    title,
    caps: lowerCaps(caps, own),
    idempotencyKey: `schedule ${id} ${key}`,
    schedule: { id, dueAt },
    ...omitUndefined({ program, maxTrustLevel: trustLevel ?? undefined }),
  };
}
