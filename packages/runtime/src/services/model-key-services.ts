import { BronError } from "@bron/core";
import { modelProviders, type ModelProvider } from "@bron/protocol";
import type { ModelKeyService } from "../model-keys.ts";
import type { ServicesOf } from "./service.ts";

type ModelKeyKeys =
  | "GET /api/model-keys"
  | "PUT /api/model-keys/:provider"
  | "POST /api/model-keys/:provider/test"
  | "POST /api/model-keys/:provider/accept"
  | "DELETE /api/model-keys/:provider";

/** The owner's own model keys. A stored key is used, but never returned. */
export function modelKeyServices({
  modelKeys,
}: {
  readonly modelKeys: ModelKeyService;
}): ServicesOf<ModelKeyKeys> {
  const list = async (ownerId: string) => ({ modelKeys: await modelKeys.list(ownerId) });
  return {
    "GET /api/model-keys": ({ caller: { ownerId } }) => list(ownerId),
    async "PUT /api/model-keys/:provider"({ caller: { ownerId }, params, body }) {
      const provider = providerOf(params.provider);
      const tried = await modelKeys.test(provider, body);
      await modelKeys.put(ownerId, provider, body, tried === "works" ? "tested" : "untested");
      return { ...(await list(ownerId)), tried };
    },
    async "POST /api/model-keys/:provider/test"({ caller: { ownerId }, params }) {
      const tried = await modelKeys.testAgain(ownerId, params.provider);
      return { ...(await list(ownerId)), tried };
    },
    async "POST /api/model-keys/:provider/accept"({ caller: { ownerId }, params }) {
      await modelKeys.accept(ownerId, params.provider);
      return await list(ownerId);
    },
    async "DELETE /api/model-keys/:provider"({ caller: { ownerId }, params }) {
      await modelKeys.remove(ownerId, params.provider);
      return await list(ownerId);
    },
  };
}

function providerOf(name: string): ModelProvider {
  const provider = modelProviders.find((known) => known === name);
  if (!provider)
    throw new BronError(
      "not_found",
      `Unknown model provider ${name}. Must be one of: ${modelProviders.join(", ")}.`,
    );
  return provider;
}
