/** Milliseconds that this thread computed for `work`: other programs on the machine do not count, as they do in time by the clock. */
export function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
