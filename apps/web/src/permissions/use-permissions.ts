import type {
  EffectSetting,
  GrantView,
  NewGrant,
  NewRule,
  PermissionsView,
  RuleView,
} from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { useOptimistic } from "../live/use-optimistic.ts";

type Kind = "rules" | "allowed" | "grants";

/** Temporary ids of entries that the server has not confirmed yet. */
const temporaryPrefix = "new";

export const isUnconfirmed = (id: string) => id.startsWith(temporaryPrefix);

/** The mutations of the owner's permissions. Every change is shown at once. */
export function usePermissions() {
  const { queryKey } = queries.permissions();
  const read = (view: PermissionsView) => view;
  const newEntry = () => ({
    id: `${temporaryPrefix}-${crypto.randomUUID()}`,
    createdAt: new Date().toISOString(),
  });
  return {
    permissions: useQuery(queries.permissions()),
    putRule: useOptimistic({
      queryKey,
      read,
      request: (body: NewRule) => api.call("POST /api/permissions/rules", { body }),
      predict: (before, rule) => ({ ...before, rules: withRule(before.rules, rule, newEntry()) }),
    }),
    allow: useOptimistic({
      queryKey,
      read,
      request: (value: string) => api.call("POST /api/permissions/allowed", { body: { value } }),
      predict: (before, value) => ({
        ...before,
        allowed: [
          ...before.allowed,
          {
            ...newEntry(),
            value,
            name: null,
            kind:
              value.includes("@") && !value.startsWith("@")
                ? ("person" as const)
                : ("domain" as const),
          },
        ],
      }),
    }),
    grant: useOptimistic({
      queryKey,
      read,
      request: (body: NewGrant) => api.call("POST /api/permissions/grants", { body }),
      predict: (before, grant) => ({
        ...before,
        grants: [toGrant(grant, newEntry()), ...before.grants],
      }),
    }),
    setEffect: useOptimistic({
      queryKey,
      read,
      request: (body: EffectSetting) => api.call("POST /api/permissions/effects", { body }),
      predict: (before, setting) => ({
        ...before,
        effects: before.effects.map((one) => (one.kind === setting.kind ? setting : one)),
      }),
    }),
    remove: useOptimistic({
      queryKey,
      read,
      request: ({ kind, id }: { readonly kind: Kind; readonly id: string }) =>
        api.call(`POST /api/permissions/${kind}/:id/remove`, { params: { id } }),
      predict: (before, { kind, id }) => ({
        ...before,
        [kind]: before[kind].filter((entry) => entry.id !== id),
      }),
    }),
  };
}

type Entry = Pick<RuleView, "id" | "createdAt">;

/** A rule replaces the one with the same tool, website, server and Bron. */
function withRule(
  rules: readonly RuleView[],
  { bronId = null, tool, host = null, server = null, verdict }: NewRule,
  entry: Entry,
): RuleView[] {
  const others = rules.filter(
    (other) =>
      other.tool !== tool ||
      other.bronId !== bronId ||
      other.host !== host ||
      other.server !== server,
  );
  return [...others, { ...entry, bronId, tool, host, server, verdict }];
}

function toGrant(
  {
    bronId = null,
    tool,
    recipient = null,
    host = null,
    server = null,
    includesPrivate = false,
    days = 7,
  }: NewGrant,
  entry: Entry,
): GrantView {
  const expiresAt = new Date(Date.now() + days * 86_400_000).toISOString();
  return {
    ...entry,
    bronId,
    tool,
    recipient,
    host,
    server,
    includesPrivate,
    expiresAt,
    revokedAt: null,
    uses: 0,
  };
}
