/** What this thread has used of the processor, in milliseconds: what other processes do to the machine does not count. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** A kernel may count the use of the processor in steps of some milliseconds: work is repeated until it is many of them. */
const steadyMs = 40;
/** A busy machine may spoil a measurement, never improve one: the best counts. */
const mostRounds = 4;

/**
 * By how much the processor's time for each character of `long` exceeds that for each of `short`. Time by the clock on the wall
 * is enough to see that it does not; what looks as if it did is measured again, by the thread's own use of the processor.
 * Work shorter than `floorMs` counts as that: below it a timer and a garbage collection decide.
 */
export async function growthPerCharacter(
  run: (text: string) => unknown,
  short: string,
  long: string,
  { floorMs = 1 } = {},
): Promise<number> {
  const growth = (shortMs: number, longMs: number) =>
    longMs / long.length / (Math.max(shortMs, floorMs) / short.length);
  const shortMs = Math.min(await wallMs(run, short), await wallMs(run, short));
  // A short text that takes a second says enough.
  if (shortMs < 1_000 && growth(shortMs, await wallMs(run, long)) <= 2) return 0;
  let [bestShort, bestLong, measured] = [Infinity, Infinity, Infinity];
  for (let round = 0; round < mostRounds && measured > 2; round++) {
    bestShort = Math.min(bestShort, await cpuMs(run, short));
    if (bestShort > 500) return Infinity;
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

/** The most that this thread worked in one turn of its event loop while `work` was under way. */
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
