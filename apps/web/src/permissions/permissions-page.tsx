import { useQuery } from "@tanstack/react-query";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { permissionsWords } from "../words/permissions.ts";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { ContactsPanel } from "./contacts-panel.tsx";
import { EffectsPanel } from "./effects-panel.tsx";
import { GrantsPanel } from "./grants-panel.tsx";
import { steps, summary } from "./policy-summary.ts";
import { RulesPanel } from "./rules-panel.tsx";
import { TrustPanel } from "./trust-panel.tsx";

/** What Brons may do without asking: a summary first, then the settings. */
export function PermissionsPage() {
  const permissions = useQuery(queries.permissions());
  const brons = useQuery(queries.brons());
  const tools = useQuery(queries.tools());
  const all = [permissions, brons, tools];
  return (
    <Page title={texts.places.permissions} about={permissionsWords.about} width="wide">
      {all.some(({ isPending }) => isPending) && <Loading />}
      <Problem
        error={all.find(({ error }) => error !== null)?.error}
        onRetry={() => void Promise.all(all.map((query) => query.refetch()))}
      />
      {permissions.data && brons.data && tools.data && (
        <div className="grid grid-cols-1 gap-5">
          <Panel title={permissionsWords.summary.title}>
            {summary(brons.data).map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
            <details className="mt-4">
              <summary className="cursor-pointer text-sm font-medium">
                {permissionsWords.summary.order}
              </summary>
              <ol className="mt-3 grid list-decimal gap-2 pl-5 text-sm">
                {steps(permissions.data, brons.data, new Date()).map(({ rule, now }) => (
                  <li key={rule}>
                    {rule} <span className="text-quiet">{now}</span>
                  </li>
                ))}
              </ol>
              <p className="mt-3 text-sm text-quiet">{permissionsWords.summary.precedence}</p>
            </details>
          </Panel>
          <TrustPanel brons={brons.data} />
          <RulesPanel rules={permissions.data.rules} brons={brons.data} tools={tools.data} />
          <EffectsPanel
            effects={permissions.data.effects}
            defaultUndoSeconds={permissions.data.defaultUndoSeconds}
          />
          <ContactsPanel allowed={permissions.data.allowed} />
          <GrantsPanel grants={permissions.data.grants} brons={brons.data} tools={tools.data} />
        </div>
      )}
    </Page>
  );
}
