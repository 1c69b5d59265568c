import { z } from "zod";

/** The limits of one run. Time while the run is parked does not count. */
export const capsSchema = z.object({
  activeMs: z.number().int().positive(),
  modelTurns: z.number().int().positive(),
  toolCalls: z.number().int().positive(),
  /** Limits by tool group, such as `gmail` and `web`. */
  toolCallsByGroup: z.record(z.string(), z.number().int().nonnegative()),
  children: z.number().int().nonnegative(),
  /** Levels of child runs below this run. Absent in runs from before this cap, and means one. */
  depth: z.number().int().nonnegative().optional(),
  attachmentBytes: z.number().int().positive(),
  tailMessages: z.number().int().nonnegative(),
  /** For all that comes before the task. Absent in runs from before this cap, and means the default. */
  contextTokens: z.number().int().positive().optional(),
  /**
   * In millionths of a US dollar, for the run and all runs below it together. Absent means no
   * limit.
   */
  costMicrousd: z.number().int().nonnegative().optional(),
  /**
   * A limit of model turns that only the agent runtime API sets, for the run and all runs below it
   * together. Exceeding it fails with `step_limit`.
   */
  steps: z.number().int().positive().optional(),
});

export type Caps = z.infer<typeof capsSchema>;

export const defaultCaps: Caps = {
  activeMs: 8 * 60_000,
  modelTurns: 20,
  toolCalls: 40,
  toolCallsByGroup: { gmail: 25, web: 10 },
  children: 3,
  depth: 2,
  attachmentBytes: 20 * 1024 * 1024,
  tailMessages: 30,
  contextTokens: 10_000,
};

/** Applies the caps of a request. A request can lower a cap but not raise it. */
export function lowerCaps(
  base: Caps,
  wanted: { readonly [K in keyof Caps]?: Caps[K] | undefined } = {},
): Caps {
  const { toolCallsByGroup = {}, ...numbers } = wanted;
  const lowered = Object.fromEntries(
    Object.entries(numbers).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [
            [
              name,
              Math.min(
                value,
                (base as unknown as Record<string, number | undefined>)[name] ?? value,
              ),
            ],
          ],
    ),
  ) as Partial<Caps>;
  const groups = Object.fromEntries(
    Object.entries(toolCallsByGroup).map(([group, calls]) => [
      group,
      Math.min(calls, base.toolCallsByGroup[group] ?? calls),
    ]),
  );
  return { ...base, ...lowered, toolCallsByGroup: { ...base.toolCallsByGroup, ...groups } };
}

export function mergeCaps(
  base: Caps,
  changes: { readonly [K in keyof Caps]?: Caps[K] | undefined } = {},
): Caps {
  return {
    ...base,
    ...(Object.fromEntries(
      Object.entries(changes).filter(([, value]) => value !== undefined),
    ) as Partial<Caps>),
  };
}
