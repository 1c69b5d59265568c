import type { Client } from "@bron/client";
import type { Opening } from "./compose.ts";
import type { CommandContext } from "./command-context.ts";
import { findRespondingServer } from "./server/home-claim.ts";
import { homeSign } from "./server/home-sign.ts";
import { serverRuntime } from "./server/server-runtime.ts";
import { demoTasks } from "./sandbox/demo-tasks.ts";
import { version } from "./version.ts";

export interface ReachedRuntime {
  readonly client: Client;
  /** What does the work: the server at this URL, or this process with its model. */
  readonly by: { readonly url: string } | { readonly model: string };
  /** Example tasks for the sandbox. Empty when the accounts are real. */
  demoTasks(): Promise<readonly string[]>;
}

/**
 * Uses the server that runs on this home, or opens the library with `opening` if there is none.
 * Loads the library, the database and the models only in that case, because loading them takes most
 * of a short command's time.
 */
export async function reachRuntime<T>(
  context: CommandContext,
  opening: Opening,
  use: (reached: ReachedRuntime) => Promise<T>,
): Promise<T> {
  const { home } = context.config;
  const server = await findRespondingServer(home);
  const sign = server && (await homeSign(context.config));
  if (server && sign) {
    const client = serverRuntime({ home, sign });
    return await use({
      client,
      by: { url: server.url },
      demoTasks: async () => (await client.call("GET /api/about")).suggestions,
    });
  }
  const [{ withRuntime }, { inProcessClient }, { findLocalModels }] = await Promise.all([
    import("./compose.ts"),
    import("./in-process-client.ts"),
    import("@bron/models"),
  ]);
  return await withRuntime(
    context,
    opening,
    async ({ runtime, isDemo, modelName, simulator }) =>
      await use({
        client: inProcessClient(
          runtime,
          {
            version,
            demoMail: simulator !== undefined,
            demoModel: isDemo,
            model: modelName,
            suggestions: simulator ? demoTasks(simulator) : [],
          },
          async () => await findLocalModels(context.config.localModels),
        ),
        by: { model: isDemo ? "the demo model (no model key set)" : modelName },
        demoTasks: () => Promise.resolve(simulator ? demoTasks(simulator) : []),
      }),
  );
}
