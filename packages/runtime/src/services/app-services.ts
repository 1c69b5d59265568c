import { BronError } from "@bron/core";
import {
  oauthProviders,
  type AboutView,
  type LocalServer,
  type OauthProvider,
} from "@bron/protocol";
import type { ModelKeyService } from "../model-keys.ts";
import type { OauthClientSetup } from "../oauth-clients.ts";
import { sandboxServices, type Sandbox, type SandboxKeys } from "./sandbox-services.ts";
import type { ServiceCaller, ServicesOf } from "./service.ts";

type SetupKeys =
  | "GET /api/oauth-clients"
  | "PUT /api/oauth-clients/:provider"
  | "DELETE /api/oauth-clients/:provider"
  | "GET /api/local-models"
  | "PUT /api/local-models";
export type AppKeys = "GET /api/about" | SandboxKeys | SetupKeys;

interface AppServicesDeps {
  readonly about: AboutView;
  readonly sandbox?: Sandbox | undefined;
  /** The owner of the server, who has the accounts of the sandbox and may set the server up. */
  readonly ownerId: string;
  readonly runtime: {
    readonly oauthClients: OauthClientSetup;
    readonly modelKeys: ModelKeyService;
  };
  /** Looks for model servers on this machine. Without it, there are none. */
  readonly findLocalModels?: (() => Promise<readonly LocalServer[]>) | undefined;
  /** The redirect URI of a provider, in a program with a server. */
  readonly redirectUriOf?: ((provider: string) => string) | undefined;
}

/** What only the app around a runtime knows: its version, its model, its sandbox and its set-up. */
export function createAppServices(deps: AppServicesDeps): ServicesOf<AppKeys> {
  const { about, sandbox, ownerId, runtime } = deps;
  return {
    async "GET /api/about"() {
      // The owner may have set up a real account since the start.
      const isReal = about.demoMail && (await setupOf(runtime, "google")) === "stored";
      return { ...about, demoMail: about.demoMail && !isReal };
    },
    ...sandboxServices({ sandbox, ownerId }),
    ...oauthClientServices(deps),
    ...localModelServices(deps),
  };
}

/** A runtime without this connector has it neither simulated nor set up. */
async function setupOf({ oauthClients }: AppServicesDeps["runtime"], provider: OauthProvider) {
  return await oauthClients.setupOf(provider).catch((error: unknown) => {
    if (BronError.is(error, "not_found")) return undefined;
    throw error;
  });
}

function oauthClientServices({
  ownerId,
  runtime,
  redirectUriOf,
}: AppServicesDeps): ServicesOf<Extract<SetupKeys, `${string}oauth-clients${string}`>> {
  /** The apps are for everyone who uses this server, so only its owner may see or change them. */
  const requireOwner = (caller: ServiceCaller) => {
    if (caller.ownerId !== ownerId)
      throw new BronError("not_found", "Only the owner of this server can set up accounts.");
  };
  const providerOf = (name: string) => {
    const provider = oauthProviders.find((known) => known === name);
    if (!provider) throw new BronError("not_found", `Unknown provider ${name}.`);
    return provider;
  };
  const list = async () => {
    const views = oauthProviders.map(async (provider) => {
      const setup = await setupOf(runtime, provider);
      if (setup === undefined) return [];
      const stored = await runtime.oauthClients.view(provider);
      const redirectUri = redirectUriOf?.(provider) ?? null;
      const { clientId = null, updatedAt = null } = stored ?? {};
      return [{ provider, setup, clientId, updatedAt, redirectUri }];
    });
    return { oauthClients: (await Promise.all(views)).flat() };
  };
  return {
    async "GET /api/oauth-clients"({ caller }) {
      requireOwner(caller);
      return await list();
    },
    async "PUT /api/oauth-clients/:provider"({ caller, params, body }) {
      requireOwner(caller);
      const provider = providerOf(params.provider);
      await runtime.oauthClients.setupOf(provider);
      await runtime.oauthClients.put(ownerId, provider, body);
      return await list();
    },
    async "DELETE /api/oauth-clients/:provider"({ caller, params }) {
      requireOwner(caller);
      await runtime.oauthClients.remove(ownerId, providerOf(params.provider));
      return await list();
    },
  };
}

function localModelServices({
  ownerId,
  runtime,
  findLocalModels,
}: AppServicesDeps): ServicesOf<Extract<SetupKeys, `${string}local-models`>> {
  const find = async (caller: ServiceCaller) =>
    caller.ownerId === ownerId && findLocalModels ? [...(await findLocalModels())] : [];
  return {
    "GET /api/local-models": async ({ caller }) => ({ servers: await find(caller) }),
    async "PUT /api/local-models"({ caller, body: { server, model } }) {
      const found = (await find(caller)).find(({ id }) => id === server);
      if (!found?.models.includes(model))
        throw new BronError("invalid_input", `There is no ${model} here now. Look again.`);
      await runtime.modelKeys.useLocal(ownerId, { server, url: found.url, model });
      return { modelKeys: await runtime.modelKeys.list(ownerId) };
    },
  };
}
