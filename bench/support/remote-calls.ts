import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

type Methods<T> = { readonly [K in keyof T]: (argument: never) => Promise<unknown> };

interface Call {
  readonly id: number;
  readonly method: string;
  readonly argument: unknown;
}

type RemoteMessage =
  | { readonly ready: unknown }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string };

export interface Remote<T> {
  readonly process: ChildProcess;
  readonly calls: T;
  /**
   * Asks the process to close, and waits for its end. Never throws, so that a caller can close
   * further things afterwards.
   */
  close(): Promise<void>;
  kill(): Promise<void>;
}

/** For the child process: responds to calls of the parent until the channel closes. */
export function serveCalls<T extends Methods<T>>(target: T): void {
  process.on("message", (call: Call) => void respond(target, call));
  process.on("disconnect", () => process.exit(0));
  process.send?.({ ready: true });
}

async function respond<T extends Methods<T>>(
  target: T,
  { id, method, argument }: Call,
): Promise<void> {
  try {
    process.send?.({ id, value: await target[method as keyof T](argument as never) });
  } catch (error) {
    process.send?.({
      id,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
}

/** Starts a program of this folder and resolves once it is ready. */
export async function startRemote<T extends Methods<T>>(
  program: string,
  orders: unknown,
  execArgv: readonly string[] = [],
): Promise<Remote<T>> {
  const { child } = await startProgram(program, [JSON.stringify(orders)], execArgv);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  child.on("message", (message: RemoteMessage) => {
    if (!("id" in message)) return;
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if ("error" in message) call?.reject(new Error(message.error));
    else call?.resolve(message.value);
  });
  let hasEnded = false;
  const ended = once(child, "exit").then(() => {
    hasEnded = true;
    for (const call of waiting.values()) call.reject(new Error(`${program} ended`));
  });
  // Sending to a process that has ended fails that call. Without this listener it would also end
  // this process and leave Postgres behind.
  child.on("error", () => undefined);
  let calls = 0;
  const call = (method: string) => (argument: unknown) => {
    const id = calls++;
    const pending = Promise.withResolvers<unknown>();
    // The caller may await another promise first, and an unhandled rejection must not end this
    // process.
    pending.promise.catch(() => undefined);
    if (hasEnded) {
      pending.reject(new Error(`${program} ended`));
      return pending.promise;
    }
    waiting.set(id, pending);
    child.send(
      { id, method, argument: argument ?? null },
      (error) => error && pending.reject(error),
    );
    return pending.promise;
  };
  const proxy = new Proxy(
    {},
    { get: (_target, method) => (method === "then" ? undefined : call(String(method))) },
  ) as T;
  return {
    process: child,
    calls: proxy,
    async close() {
      if (hasEnded) return;
      // Anything that it could not close ends with the process.
      await call("close")(null).catch(() => undefined);
      if (child.connected) child.disconnect();
      await ended;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Forks a program and waits for the message that says it is ready. */
export async function startProgram(
  program: string,
  argv: readonly string[],
  execArgv: readonly string[] = [],
): Promise<{ child: ChildProcess; ready: unknown }> {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), argv, {
    execArgv: ["--disable-warning=ExperimentalWarning", ...execArgv],
  });
  const ready = await new Promise<unknown>((resolve, reject) => {
    child.once("message", (message: RemoteMessage) =>
      "ready" in message
        ? resolve(message.ready)
        : reject(new Error(`${program} said something else first`)),
    );
    child.once("exit", (code) =>
      reject(new Error(`${program} ended with ${code} before it was ready`)),
    );
  });
  return { child, ready };
}
