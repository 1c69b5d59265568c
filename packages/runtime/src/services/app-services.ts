import type { AboutView } from "@bron/protocol";
import { sandboxServices, type Sandbox, type SandboxKeys } from "./sandbox-services.ts";
import type { ServicesOf } from "./service.ts";

export type AppKeys = "GET /api/about" | SandboxKeys;

export interface AppServicesDeps {
  readonly about: AboutView;
  readonly sandbox?: Sandbox | undefined;
  /** The owner of the sandbox's accounts. */
  readonly ownerId: string;
}

/** What only the app around a runtime knows: its version, its model, and its sandbox. */
export function createAppServices({
  about,
  sandbox,
  ownerId,
}: AppServicesDeps): ServicesOf<AppKeys> {
  return {
    "GET /api/about": () => Promise.resolve(about),
    ...sandboxServices({ sandbox, ownerId }),
  };
}
