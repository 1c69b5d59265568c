import { visible, type BronView, type GrantView, type ToolView } from "@bron/protocol";
import { useState } from "react";
import { serverClock } from "../live/server-clock.ts";
import { texts } from "../texts.ts";
import { Time } from "../time.tsx";
import { Button } from "../ui/button.tsx";
import { Field, inputClass } from "../ui/field.tsx";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { toolPhrase, toolLabel } from "../words/tools.ts";
import { BronSelect } from "./bron-select.tsx";
import { isUnconfirmed, usePermissions } from "./use-permissions.ts";

interface GrantsPanelProps {
  readonly grants: readonly GrantView[];
  readonly brons: readonly BronView[];
  readonly tools: readonly ToolView[];
}

const lengths = [1, 7, 30, 90] as const;

/** Temporary permissions for one tool and one recipient. Expired ones stay visible in a list. */
export function GrantsPanel({ grants, brons, tools }: GrantsPanelProps) {
  const { grant, remove } = usePermissions();
  const isLive = ({ revokedAt, expiresAt }: GrantView) =>
    revokedAt === null && Date.parse(expiresAt) > serverClock.now();
  const nameOf = (bronId: string | null) =>
    bronId === null
      ? texts.permissions.allBrons
      : visible(brons.find(({ id }) => id === bronId)?.name ?? bronId);
  const expired = grants.filter((grantView) => !isLive(grantView));
  return (
    <Panel title={texts.permissions.grants}>
      <p className="mb-4 text-sm text-quiet">{texts.permissions.grantsAbout}</p>
      <Refused error={grant.error ?? remove.error} />
      {expired.length === grants.length && (
        <p className="mb-4 text-sm text-quiet">{texts.permissions.noGrants}</p>
      )}
      <ul aria-label={texts.permissions.grants} className="mb-5 divide-y divide-edge">
        {grants.filter(isLive).map((grantView) => (
          <li key={grantView.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
            <GrantWords grant={grantView} who={nameOf(grantView.bronId)} />
            <Button
              kind="quiet"
              className="ml-auto"
              disabled={isUnconfirmed(grantView.id)}
              aria-label={texts.permissions.revokeGrant(
                toolPhrase(grantView.tool),
                grantView.recipient,
              )}
              onClick={() => remove.mutate({ kind: "grants", id: grantView.id })}
            >
              {texts.permissions.revoke}
            </Button>
          </li>
        ))}
      </ul>
      <NewGrantForm brons={brons} tools={tools} grant={grant} />
      {expired.length > 0 && (
        <details className="mt-5">
          <summary className="cursor-pointer text-sm text-quiet">
            {texts.permissions.expiredGrants(expired.length)}
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

function GrantWords({
  grant: { tool, recipient, uses, expiresAt, revokedAt },
  who,
}: {
  readonly grant: GrantView;
  readonly who: string;
}) {
  return (
    <div className="min-w-0 text-sm">
      <p className="wrap-anywhere">
        <span title={tool}>{toolLabel(tool)}</span> → {visible(recipient)}
      </p>
      <p className="text-quiet">
        {who} · {texts.permissions.uses(uses)} ·{" "}
        {revokedAt === null ? texts.permissions.until : texts.permissions.revokedAt}{" "}
        <Time at={revokedAt ?? expiresAt} />
      </p>
    </div>
  );
}

function NewGrantForm({
  brons,
  tools,
  grant,
}: Pick<GrantsPanelProps, "brons" | "tools"> & Pick<ReturnType<typeof usePermissions>, "grant">) {
  const effects = tools.filter(({ sideEffect }) => sideEffect);
  const [tool, setTool] = useState("gmail_send");
  const [recipient, setRecipient] = useState("");
  const [days, setDays] = useState("7");
  const [bronId, setBronId] = useState("");
  const chosen = effects.some(({ name }) => name === tool) ? tool : (effects[0]?.name ?? "");
  return (
    <form
      className="grid gap-3 sm:grid-cols-2 lg:grid-cols-[1fr_1.2fr_8rem_9rem_auto] lg:items-end"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = recipient.trim();
        setRecipient("");
        grant.mutate(
          {
            tool: chosen,
            recipient: typed,
            days: Number(days),
            bronId: bronId === "" ? null : bronId,
          },
          { onError: () => setRecipient(typed) },
        );
      }}
    >
      <Field label={texts.permissions.tool}>
        {(ids) => (
          <select
            {...ids}
            value={chosen}
            onChange={({ target }) => setTool(target.value)}
            className={inputClass}
          >
            {effects.map(({ name }) => (
              <option key={name} value={name}>
                {toolLabel(name)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={texts.permissions.recipient}>
        {(ids) => (
          <input
            {...ids}
            required
            type="email"
            maxLength={254}
            autoComplete="off"
            placeholder={texts.permissions.recipientPlaceholder}
            value={recipient}
            onChange={({ target }) => setRecipient(target.value)}
            className={inputClass}
          />
        )}
      </Field>
      <Field label={texts.permissions.duration}>
        {(ids) => (
          <select
            {...ids}
            value={days}
            onChange={({ target }) => setDays(target.value)}
            className={inputClass}
          >
            {lengths.map((length) => (
              <option key={length} value={length}>
                {texts.permissions.days(length)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <BronSelect brons={brons} value={bronId} onChange={setBronId} />
      <Button type="submit" disabled={recipient.trim() === ""}>
        {texts.permissions.addGrant}
      </Button>
    </form>
  );
}
