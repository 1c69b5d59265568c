import { visible, type ConnectionView } from "@bron/protocol";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { useOptimistic } from "../live/use-optimistic.ts";
import { texts } from "../texts.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";
import { useFocusAfter } from "../ui/use-focus-after.ts";

/** One provider. The card lists the access that Bron needs before the owner connects. */
export function AccountCard({
  connection: { provider, account, scopes },
  isSimulated,
}: {
  readonly connection: ConnectionView;
  readonly isSimulated: boolean;
}) {
  const { ask, dialog } = useConfirm();
  const disconnect = useOptimistic({
    queryKey: queries.connections().queryKey,
    request: () => api.call("POST /api/connections/:provider/disconnect", { params: { provider } }),
    predict: (before) =>
      before.map((connection) =>
        connection.provider === provider
          ? {
              ...connection,
              account: null,
              scopes: connection.scopes.map((scope) => ({ ...scope, granted: false })),
            }
          : connection,
      ),
    read: (response) => response.connections,
  });
  const name = texts.providers[provider] ?? provider;
  const isIncomplete = account !== null && scopes.some(({ granted }) => !granted);
  return (
    <Panel title={name} actions={<AccountState account={account} isSimulated={isSimulated} />}>
      <Refused error={disconnect.error} />
      {account === null ? (
        <p className="mb-2 text-sm">
          {texts.notConnected(name)} {texts.connections.willAsk(name)}
        </p>
      ) : (
        <p className="mb-3 text-sm wrap-anywhere">
          <span className="text-quiet">{texts.connections.as}</span>{" "}
          <strong>{visible(account)}</strong>
        </p>
      )}
      <Scopes scopes={scopes} hasAccount={account !== null} />
      {account === null && (
        <p className="mt-3 text-sm text-quiet">{texts.connections.nothingElse}</p>
      )}
      {isIncomplete && <p className="mt-3 text-sm">{texts.connections.missing}</p>}
      <ScopeNames scopes={scopes} />
      <div className="mt-4 flex flex-wrap gap-2">
        {(account === null || isIncomplete) && <ConnectLink provider={provider} />}
        {account !== null && (
          <DisconnectButton
            name={name}
            isBusy={disconnect.isPending}
            onPress={() =>
              ask({
                ...texts.connections.sureDisconnect(name, visible(account)),
                onYes: () => disconnect.mutate(),
              })
            }
          />
        )}
      </div>
      {dialog}
    </Panel>
  );
}

/** The connect link and the disconnect button replace each other, and hand over the focus. */
const findReplacement = (container: HTMLElement | null) =>
  container?.querySelector<HTMLElement>("a, button");

function ConnectLink({ provider }: { readonly provider: string }) {
  const link = useFocusAfter<HTMLAnchorElement>(findReplacement);
  return (
    <a
      ref={link}
      className={buttonClass("main")}
      href={`/api/connections/${encodeURIComponent(provider)}/connect`}
    >
      {texts.connectTo(provider)}
    </a>
  );
}

function DisconnectButton({
  name,
  isBusy,
  onPress,
}: {
  readonly name: string;
  readonly isBusy: boolean;
  readonly onPress: () => void;
}) {
  const button = useFocusAfter<HTMLButtonElement>(findReplacement);
  return (
    <Button ref={button} aria-label={texts.disconnectFrom(name)} isBusy={isBusy} onClick={onPress}>
      {texts.disconnect}
    </Button>
  );
}

function AccountState({
  account,
  isSimulated,
}: {
  readonly account: string | null;
  readonly isSimulated: boolean;
}) {
  const badge = "rounded-full border px-2.5 py-0.5 text-xs font-medium";
  return (
    <span className="flex gap-2">
      {isSimulated && (
        <span className={cx(badge, "border-edge text-quiet")}>{texts.connections.simulated}</span>
      )}
      <span
        className={cx(
          badge,
          account === null ? "border-edge text-quiet" : "border-good bg-good-soft text-good",
        )}
      >
        {account === null ? texts.connections.notConnected : texts.connections.connected}
      </span>
    </span>
  );
}

function Scopes({
  scopes,
  hasAccount,
}: {
  readonly scopes: ConnectionView["scopes"];
  readonly hasAccount: boolean;
}) {
  return (
    <ul aria-label={texts.connections.access} className="grid gap-2 text-sm">
      {scopes.map(({ scope, why, granted }) => (
        <li key={scope} className="flex gap-2">
          <span
            aria-hidden="true"
            className={cx(
              "w-4 shrink-0 text-center",
              hasAccount ? (granted ? "text-good" : "text-bad") : "text-quiet",
            )}
          >
            {hasAccount ? (granted ? "✓" : "×") : "•"}
          </span>
          <span className="min-w-0">
            {why}
            {hasAccount && (
              <span className="sr-only">
                {" "}
                ({granted ? texts.connections.granted : texts.connections.notGranted})
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The same as Google and Slack call it, for developers. */
function ScopeNames({ scopes }: { readonly scopes: ConnectionView["scopes"] }) {
  return (
    <details className="mt-3 text-sm text-quiet">
      <summary>{texts.details}</summary>
      <ul className="mt-1 grid gap-0.5">
        {scopes.map(({ scope }) => (
          <li key={scope}>
            <code className="text-xs wrap-anywhere">{scope}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
