/** The CPU time of this thread during `work`, in milliseconds. */
export function threadCpuMs(work: () => unknown): number {
  const before = threadMs();
  work();
  return threadMs() - before;
}

/** CPU time of this thread in milliseconds. Other processes on the machine do not affect it. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * A kernel may count CPU time in steps of several milliseconds, so work is repeated until it takes
 * many of them.
 */
const steadyMs = 40;
/** A short text that takes longer is too slow, however its time grows. */
const maxShortMs = 2_000;
/** A busy machine can only make a measurement worse, so the best one counts. */
const maxRounds = 4;

/**
 * By how much the CPU time per character of `long` exceeds that of `short`. A wall clock
 * measurement is enough to rule growth out. If it suggests growth, the thread's CPU time is
 * measured. Work shorter than `floorMs` counts as `floorMs`, because timers and garbage collection
 * dominate below it.
 */
export async function growthPerCharacter(
  run: (text: string) => unknown,
  short: string,
  long: string,
  { floorMs = 1 } = {},
): Promise<number> {
  const growth = (shortMs: number, longMs: number) =>
    longMs / long.length / (Math.max(shortMs, floorMs) / short.length);
  // A short text that takes a second is already too slow.
  let shortMs = await wallMs(run, short);
  let longMs = Infinity;
  for (let round = 0; round < maxRounds && shortMs < 1_000; round++) {
    longMs = Math.min(longMs, await wallMs(run, long));
    // Fast enough for any time of the short text, which then needs no second measurement.
    if (growth(0, longMs) <= 2) return 0;
    // From here on, measuring CPU time takes less time than more rounds of wall time.
    if (longMs > steadyMs) break;
  }
  if (shortMs < 1_000) {
    shortMs = Math.min(shortMs, await wallMs(run, short));
    if (growth(shortMs, longMs) <= 2) return 0;
  }
  let [bestShort, bestLong, measured] = [Infinity, Infinity, Infinity];
  for (let round = 0; round < maxRounds && measured > 2; round++) {
    bestShort = Math.min(bestShort, await cpuMs(run, short));
    if (bestShort > maxShortMs) return Infinity;
    bestLong = Math.min(bestLong, await cpuMs(run, long));
    measured = growth(bestShort, bestLong);
  }
  return measured;
}

async function wallMs(run: (text: string) => unknown, text: string): Promise<number> {
  const before = performance.now();
  await run(text);
  return performance.now() - before;
}

async function cpuMs(run: (text: string) => unknown, text: string): Promise<number> {
  const before = threadMs();
  for (let times = 1; ; times++) {
    await run(text);
    const used = threadMs() - before;
    if (used >= steadyMs) return used / times;
  }
}

/** The longest time that this thread worked in one turn of its event loop during `work`. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let [longest, before] = [0, threadMs()];
  const note = () => {
    const now = threadMs();
    longest = Math.max(longest, now - before);
    before = now;
  };
  let turn: NodeJS.Immediate;
  const watch = () => {
    note();
    turn = setImmediate(watch);
  };
  turn = setImmediate(watch);
  try {
    await work();
  } finally {
    note();
    clearImmediate(turn);
  }
  return longest;
}
