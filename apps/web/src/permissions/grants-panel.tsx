import { visible, type BronView, type GrantView, type ToolView } from "@bron/protocol";
import { serverClock } from "../live/server-clock.ts";
import { permissionsWords } from "../words/permissions.ts";
import { Time } from "../time.tsx";
import { Button } from "../ui/button.tsx";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { NewGrantForm } from "./new-grant-form.tsx";
import { scopeLabel, scopePhrase } from "./scope-words.ts";
import { isUnconfirmed, usePermissions } from "./use-permissions.ts";

interface GrantsPanelProps {
  readonly grants: readonly GrantView[];
  readonly brons: readonly BronView[];
  readonly tools: readonly ToolView[];
}

/** Temporary permissions for one recipient, website or MCP server. Expired ones stay visible in a list. */
export function GrantsPanel({ grants, brons, tools }: GrantsPanelProps) {
  const { grant, remove } = usePermissions();
  const isLive = ({ revokedAt, expiresAt }: GrantView) =>
    revokedAt === null && Date.parse(expiresAt) > serverClock.now();
  const nameOf = (bronId: string | null) =>
    bronId === null
      ? permissionsWords.allBrons
      : visible(brons.find(({ id }) => id === bronId)?.name ?? bronId);
  const expired = grants.filter((grantView) => !isLive(grantView));
  return (
    <Panel title={permissionsWords.grants}>
      <p className="mb-4 text-sm text-quiet">{permissionsWords.grantsAbout}</p>
      <Refused error={grant.error ?? remove.error} />
      {expired.length === grants.length && (
        <p className="mb-4 text-sm text-quiet">{permissionsWords.noGrants}</p>
      )}
      <ul aria-label={permissionsWords.grants} className="mb-5 divide-y divide-edge">
        {grants.filter(isLive).map((grantView) => (
          <li key={grantView.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
            <GrantWords grant={grantView} who={nameOf(grantView.bronId)} />
            <Button
              kind="quiet"
              className="ml-auto"
              disabled={isUnconfirmed(grantView.id)}
              aria-label={permissionsWords.revokeGrant(scopePhrase(grantView), grantView.recipient)}
              onClick={() => remove.mutate({ kind: "grants", id: grantView.id })}
            >
              {permissionsWords.revoke}
            </Button>
          </li>
        ))}
      </ul>
      <NewGrantForm brons={brons} tools={tools} onGrant={grant.mutate} />
      {expired.length > 0 && (
        <details className="mt-5">
          <summary className="cursor-pointer text-sm text-quiet">
            {permissionsWords.expiredGrants(expired.length)}
          </summary>
          <ul className="mt-2 divide-y divide-edge">
            {expired.map((grantView) => (
              <li key={grantView.id} className="py-2.5 text-quiet">
                <GrantWords grant={grantView} who={nameOf(grantView.bronId)} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </Panel>
  );
}

function GrantWords({ grant, who }: { readonly grant: GrantView; readonly who: string }) {
  const { tool, recipient, uses, expiresAt, revokedAt } = grant;
  return (
    <div className="min-w-0 text-sm">
      <p className="wrap-anywhere">
        <span title={tool}>{scopeLabel(grant)}</span>
        {recipient !== null && ` → ${visible(recipient)}`}
      </p>
      <p className="text-quiet">
        {who} · {grant.includesPrivate && `${permissionsWords.withPrivate} · `}
        {permissionsWords.uses(uses)} ·{" "}
        {revokedAt === null ? permissionsWords.until : permissionsWords.revokedAt}{" "}
        <Time at={revokedAt ?? expiresAt} />
      </p>
    </div>
  );
}
