import type { Opening } from "./compose.ts";
import type { CommandContext } from "./command-context.ts";
import type { OwnerRuntime } from "./owner-runtime.ts";
import { findAnsweringServer } from "./server/home-claim.ts";
import { homeSign } from "./server/home-sign.ts";
import { serverRuntime } from "./server/server-runtime.ts";
import { demoTasks } from "./sandbox/demo-tasks.ts";

export interface ReachedRuntime {
  readonly runtime: OwnerRuntime;
  /** Who does the work: the server under this address, or this process with its model. */
  readonly by: { readonly url: string } | { readonly model: string };
  /** Tasks for the simulated mailbox of whoever does the work; none if its mailbox is real. */
  demoTasks(): Promise<readonly string[]>;
}

/**
 * Through the server that runs on this home if there is one, else by the library, opened as told. The library, the database and the models
 * are loaded only then: most of what a short command takes is loading them.
 */
export async function reachRuntime<T>(
  context: CommandContext,
  opening: Opening,
  use: (reached: ReachedRuntime) => Promise<T>,
): Promise<T> {
  const { home } = context.config;
  const server = await findAnsweringServer(home);
  const sign = server && (await homeSign(context.config));
  if (server && sign) {
    const runtime = serverRuntime({ home, sign });
    return await use({
      runtime,
      by: { url: server.url },
      demoTasks: async () => (await runtime.about()).suggestions,
    });
  }
  const [{ withBron }, { libraryRuntime }] = await Promise.all([
    import("./compose.ts"),
    import("./library-runtime.ts"),
  ]);
  return await withBron(
    context,
    opening,
    async ({ runtime, isDemo, modelName, simulator }) =>
      await use({
        runtime: libraryRuntime(runtime),
        by: { model: isDemo ? "the demo model (no key is set)" : modelName },
        demoTasks: () => Promise.resolve(simulator ? demoTasks(simulator) : []),
      }),
  );
}
