import { visible, type ConnectionView, type OauthClientView } from "@bron/protocol";
import { useLocation } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { useOptimistic } from "../live/use-optimistic.ts";
import { texts } from "../texts.ts";
import { connectionsWords } from "../words/connections.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { connectHref } from "./connect-href.ts";
import { OauthClientDialog } from "./oauth-client-dialog.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";
import { useFocusAfter } from "../ui/use-focus-after.ts";

/** One provider. The card lists the access that Bron needs before the owner connects. */
export function AccountCard({
  connection: { provider, account, scopes, setup },
  client,
}: {
  readonly connection: ConnectionView;
  /** The app of this provider. Undefined unless this is the owner of the server. */
  readonly client: OauthClientView | undefined;
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
    <Panel
      id={provider}
      title={name}
      actions={<AccountState account={account} isSimulated={setup === "simulated"} />}
    >
      <Refused error={disconnect.error} />
      {account === null ? (
        <p className="mb-2 text-sm">
          {setup === "missing" ? connectionsWords.setup.missing(name) : texts.notConnected(name)}{" "}
          {setup === "missing" && !client && connectionsWords.setup.notOwner}{" "}
          {connectionsWords.willAsk(name)}
        </p>
      ) : (
        <p className="mb-3 text-sm wrap-anywhere">
          <span className="text-quiet">{connectionsWords.as}</span>{" "}
          <strong>{visible(account)}</strong>
        </p>
      )}
      <Scopes scopes={scopes} hasAccount={account !== null} />
      {account === null && (
        <p className="mt-3 text-sm text-quiet">{connectionsWords.nothingElse}</p>
      )}
      {isIncomplete && <p className="mt-3 text-sm">{connectionsWords.missing}</p>}
      <div className="mt-4 flex flex-wrap gap-2">
        {(account === null || isIncomplete) && setup !== "missing" && (
          <ConnectLink provider={provider} />
        )}
        {account !== null && (
          <DisconnectButton
            name={name}
            isBusy={disconnect.isPending}
            onPress={() =>
              ask({
                ...connectionsWords.sureDisconnect(name, visible(account)),
                onYes: () => disconnect.mutate(),
              })
            }
          />
        )}
        {client && <SetUpButton name={name} client={client} />}
      </div>
      {client && <SetUpNote client={client} />}
      {dialog}
    </Panel>
  );
}

function SetUpButton({
  name,
  client,
}: {
  readonly name: string;
  readonly client: OauthClientView;
}) {
  const [isOpen, setOpen] = useState(false);
  const words = connectionsWords.setup;
  // A variable wins, so a client that is entered here would not be used.
  if (client.setup === "configured" && client.clientId === null) return null;
  const label = {
    missing: words.setUp(name),
    simulated: words.useOwn(name),
    stored: words.change,
    configured: words.change,
  }[client.setup];
  return (
    <>
      <Button kind={client.setup === "missing" ? "main" : "plain"} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <OauthClientDialog
        name={name}
        client={client}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      />
    </>
  );
}

/** Where the OAuth client comes from. */
function SetUpNote({
  client: { provider, setup, clientId },
}: {
  readonly client: OauthClientView;
}) {
  const words = connectionsWords.setup;
  if (setup !== "stored" && setup !== "configured") return null;
  return (
    <p className="mt-3 text-sm text-quiet">
      {setup === "stored" ? words.stored : words.configured(words.variables[provider] ?? provider)}
      {setup === "configured" && clientId !== null && ` ${words.wins}`}
    </p>
  );
}

/** The connect link and the disconnect button replace each other, and hand over the focus. */
const findReplacement = (container: HTMLElement | null) =>
  container?.querySelector<HTMLElement>("a, button");

function ConnectLink({ provider }: { readonly provider: string }) {
  const link = useFocusAfter<HTMLAnchorElement>(findReplacement);
  const from = useLocation({ select: ({ href }) => href });
  return (
    <a ref={link} className={buttonClass("main")} href={connectHref(provider, from)}>
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
        <span className={cx(badge, "border-edge text-quiet")}>{connectionsWords.simulated}</span>
      )}
      <span
        className={cx(
          badge,
          account === null ? "border-edge text-quiet" : "border-good bg-good-soft text-good",
        )}
      >
        {account === null ? connectionsWords.notConnected : connectionsWords.connected}
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
    <ul aria-label={connectionsWords.access} className="grid gap-2 text-sm">
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
                ({granted ? connectionsWords.granted : connectionsWords.notGranted})
              </span>
            )}
          </span>
        </li>
      ))}
      <li className="pl-6">
        <details className="text-xs text-quiet">
          <summary className="cursor-pointer" title={connectionsWords.technicalHint}>
            {connectionsWords.technical}
          </summary>
          {scopes.map(({ scope }) => (
            <code key={scope} className="block wrap-anywhere">
              {scope}
            </code>
          ))}
        </details>
      </li>
    </ul>
  );
}
