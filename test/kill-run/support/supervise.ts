import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { compileCache } from "../../support/compile-cache.ts";
import type { KillRunOrders } from "./kill-run-process.ts";

/** A process that is restarted whenever it ends, as an operator's supervisor would do. */
export interface Supervised {
  readonly pid: number | undefined;
  /** The newest sign-in link. Waits until the server is ready. */
  signInLink(): Promise<string>;
  kill(): void;
  /** Freezes the process for this time. */
  freeze(ms: number): Promise<void>;
  readonly starts: number;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL("kill-run-process.ts", import.meta.url));

export function supervise(orders: KillRunOrders): Supervised {
  let child: ChildProcess | undefined;
  let starts = 0;
  let isStopping = false;
  let ready = Promise.withResolvers<string>();
  let isReady = false;

  const running = (async () => {
    while (!isStopping) {
      starts++;
      child = spawn(
        process.execPath,
        ["--disable-warning=ExperimentalWarning", program, JSON.stringify(orders)],
        { env: { ...process.env, ...compileCache }, stdio: ["ignore", "pipe", "ignore"] },
      );
      if (child.stdout) {
        createInterface({ input: child.stdout }).on("line", (line) => {
          const { signIn } = JSON.parse(line) as { signIn?: string };
          if (signIn === undefined) return;
          ready.resolve(signIn);
          isReady = true;
        });
      }
      await once(child, "exit");
      // A process that died before it was ready leaves its waiting clients to the next one.
      if (isReady) ready = Promise.withResolvers<string>();
      isReady = false;
      await sleep(200);
    }
  })();

  return {
    get pid() {
      return child?.pid;
    },
    get starts() {
      return starts;
    },
    signInLink: () => ready.promise,
    kill: () => void child?.kill("SIGKILL"),
    async freeze(ms) {
      const frozen = child;
      frozen?.kill("SIGSTOP");
      await sleep(ms);
      frozen?.kill("SIGCONT");
    },
    async stop() {
      isStopping = true;
      child?.kill("SIGCONT");
      child?.kill("SIGKILL");
      await running;
    },
  };
}
