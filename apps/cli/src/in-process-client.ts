import { createClient, type Client } from "@bron/client";
import { scopes, type AboutView, type LocalServer } from "@bron/protocol";
import { createAppServices, inProcessTransport, type RuntimeWithAccess } from "@bron/runtime";
import { ownerId } from "./owner.ts";

/** A client of a runtime in this process, for the owner of this home. */
export function inProcessClient(
  runtime: RuntimeWithAccess,
  about: AboutView,
  findLocalModels: () => Promise<readonly LocalServer[]>,
): Client {
  const services = {
    ...runtime.services,
    ...createAppServices({ about, ownerId, runtime, findLocalModels }),
  };
  const caller = {
    ownerId,
    via: "terminal",
    scopes: [...scopes],
    email: null,
    mayRaiseCaps: true,
  } as const;
  return createClient({
    transport: inProcessTransport({
      runtime,
      services,
      caller,
      async *exportThread(threadId) {
        const { exportThread } = await import("@bron/server");
        yield* (await exportThread(runtime, ownerId, threadId)).bytes;
      },
    }),
  });
}
