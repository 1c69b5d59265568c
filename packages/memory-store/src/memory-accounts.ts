import {
  BronError,
  cleanText,
  type Contacts,
  type ModelKeys,
  type OauthClients,
  type OauthTokens,
  type StoredModelKey,
} from "@bron/core";
import { ensureOwner, keyOf, stamp, type MemoryState } from "./memory-state.ts";

export function memoryOauthTokens(state: MemoryState): OauthTokens {
  const { oauthTokens, audit } = state;
  return {
    load: async (ownerId, provider) => oauthTokens.get(keyOf(ownerId, provider)),
    async save(ownerId, provider, tokens) {
      ensureOwner(state, ownerId);
      oauthTokens.set(keyOf(ownerId, provider), tokens);
      const { account, scopes } = tokens;
      audit.add(ownerId, [
        {
          what: "connection.connected",
          by: "owner",
          details: { provider, account, scopes: [...scopes] },
        },
      ]);
    },
    async replace(ownerId, provider, accessToken, tokens) {
      const key = keyOf(ownerId, provider);
      if (oauthTokens.get(key)?.accessToken !== accessToken) return false;
      oauthTokens.set(key, tokens);
      return true;
    },
    async remove(ownerId, provider) {
      const key = keyOf(ownerId, provider);
      const account = oauthTokens.get(key)?.account;
      oauthTokens.delete(key);
      if (account !== undefined)
        audit.add(ownerId, [
          { what: "connection.disconnected", by: "owner", details: { provider, account } },
        ]);
    },
  };
}

export function memoryContacts({ contacts }: MemoryState): Contacts {
  return {
    find: async (ownerId, source, addresses) =>
      addresses.flatMap((address) => contacts.get(keyOf(ownerId, source, address)) ?? []),
    async remember(ownerId, source, people) {
      for (const person of people) {
        const key = keyOf(ownerId, source, person.address);
        if (!contacts.has(key)) contacts.set(key, person);
      }
    },
  };
}

export function memoryModelKeys(state: MemoryState): ModelKeys {
  const { modelKeys, audit } = state;
  const newestFirst = (ownerId: string) =>
    [...modelKeys.values()].filter((key) => key.ownerId === ownerId).toReversed();
  return {
    async put(ownerId, { model, ...key }) {
      ensureOwner(state, ownerId);
      const row = { ...key, model: model === null ? null : cleanText(model) };
      const id = keyOf(ownerId, row.provider);
      // Added again, because the order of the map is the order of the changes.
      modelKeys.delete(id);
      modelKeys.set(id, { ...row, ownerId, updatedAt: stamp(state) });
      const details = { provider: row.provider, model: row.model };
      audit.add(ownerId, [{ what: "model_key.set", by: "owner", details }]);
    },
    async get(ownerId, provider) {
      const key = modelKeys.get(keyOf(ownerId, provider));
      return key && storedKey(key);
    },
    async setState(ownerId, provider, keyState) {
      const id = keyOf(ownerId, provider);
      const key = modelKeys.get(id);
      if (!key) throw new BronError("not_found", "Model key not found.");
      modelKeys.delete(id);
      modelKeys.set(id, { ...key, state: keyState, updatedAt: stamp(state) });
      const details = { provider, model: key.model };
      if (keyState === "accepted")
        audit.add(ownerId, [{ what: "model_key.accepted", by: "owner", details }]);
    },
    async remove(ownerId, provider) {
      const id = keyOf(ownerId, provider);
      const key = modelKeys.get(id);
      if (!key) throw new BronError("not_found", "Model key not found.");
      modelKeys.delete(id);
      const details = { provider, model: key.model };
      audit.add(ownerId, [{ what: "model_key.removed", by: "owner", details }]);
    },
    list: async (ownerId) =>
      newestFirst(ownerId).map(({ provider, hint, model, state: keyState, updatedAt }) => ({
        provider,
        hint,
        model,
        state: keyState,
        updatedAt,
      })),
    async latest(ownerId) {
      const key = newestFirst(ownerId).find((stored) => stored.state !== "untested");
      return key && storedKey(key);
    },
  };
}

const storedKey = ({ provider, sealedKey, hint, model, state }: StoredModelKey) => ({
  provider,
  sealedKey,
  hint,
  model,
  state,
});

export function memoryOauthClients(state: MemoryState): OauthClients {
  const { oauthClients, audit } = state;
  return {
    async put(ownerId, client) {
      ensureOwner(state, ownerId);
      oauthClients.set(client.provider, { ...client, updatedAt: stamp(state) });
      const details = { provider: client.provider, clientId: client.clientId };
      audit.add(ownerId, [{ what: "oauth_client.set", by: "owner", details }]);
    },
    async remove(ownerId, provider) {
      const client = oauthClients.get(provider);
      if (!client) throw new BronError("not_found", "No app is stored for this provider.");
      oauthClients.delete(provider);
      const details = { provider, clientId: client.clientId };
      audit.add(ownerId, [{ what: "oauth_client.removed", by: "owner", details }]);
    },
    get: async (provider) => oauthClients.get(provider),
  };
}
