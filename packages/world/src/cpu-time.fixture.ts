/**
 * CPU milliseconds of this thread during `work`. Unlike wall-clock time, it does not count other
 * programs on the machine.
 */
export function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
