import type { Opening } from "./compose.ts";
import type { Door } from "./door.ts";
import type { OwnerBron } from "./owner-bron.ts";
import { findAnsweringServer } from "./server/home-claim.ts";
import { homeSign } from "./server/home-sign.ts";
import { serverBron } from "./server/server-bron.ts";
import { demoTasks } from "./world/demo-tasks.ts";

export interface ReachedBron {
  readonly bron: OwnerBron;
  /** Who does the work: the server under this address, or this process with its model. */
  readonly by: { readonly url: string } | { readonly model: string };
  /** Tasks for the simulated mailbox of whoever does the work; none if its mailbox is real. */
  demoTasks(): Promise<readonly string[]>;
}

/**
 * Through the server that runs on this home if there is one, else by the library, opened as told. The library, the database and the models
 * are loaded only then: most of what a short command takes is loading them.
 */
export async function reachBron<T>(
  door: Door,
  opening: Opening,
  use: (reached: ReachedBron) => Promise<T>,
): Promise<T> {
  const { home } = door.config;
  const server = await findAnsweringServer(home);
  const sign = server && (await homeSign(door.config));
  if (server && sign) {
    const bron = serverBron({ home, sign });
    return await use({
      bron,
      by: { url: server.url },
      demoTasks: async () => (await bron.about()).suggestions,
    });
  }
  const [{ withBron }, { libraryBron }] = await Promise.all([
    import("./compose.ts"),
    import("./library-bron.ts"),
  ]);
  return await withBron(
    door,
    opening,
    async ({ bron, isDemo, modelName, world }) =>
      await use({
        bron: libraryBron(bron),
        by: { model: isDemo ? "the demo model (no key is set)" : modelName },
        demoTasks: () => Promise.resolve(world ? demoTasks(world) : []),
      }),
  );
}
