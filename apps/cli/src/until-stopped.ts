import type { Terminal } from "./terminal.ts";

export function untilStopped({ stop }: Pick<Terminal, "stop">): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener("abort", () => resolve(), { once: true });
  });
}
