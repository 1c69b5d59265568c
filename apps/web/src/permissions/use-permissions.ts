import type { NewGrant, NewRule, PermissionsView } from "@bron/protocol";
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
      predict: (before, { bronId = null, tool, verdict }) => {
        const others = before.rules.filter((rule) => rule.tool !== tool || rule.bronId !== bronId);
        return { ...before, rules: [...others, { ...newEntry(), bronId, tool, verdict }] };
      },
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
      predict: (before, { bronId = null, tool, recipient, days = 7 }) => ({
        ...before,
        grants: [
          {
            ...newEntry(),
            bronId,
            tool,
            recipient,
            expiresAt: new Date(Date.now() + days * 86_400_000).toISOString(),
            revokedAt: null,
            uses: 0,
          },
          ...before.grants,
        ],
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
