import type { ConnectionView } from "@bron/protocol";
import { useState } from "react";
import { api } from "./api.ts";
import { texts } from "./texts.ts";
import { useLoad } from "./use-load.ts";

/** Which accounts there are, and the way to connect one; what is asked for stands before the question. */
export function ConnectionsPanel() {
  const { value, reload } = useLoad("connections", api.connections.list);
  if (!value) return null;
  return value.map((connection) => <Connection key={connection.provider} {...connection} onChange={reload} />);
}

function Connection({ provider, account, scopes, onChange }: ConnectionView & { readonly onChange: () => void }) {
  const [problem, setProblem] = useState<string>();
  const name = texts.providers[provider] ?? provider;
  const disconnect = () => {
    setProblem(undefined);
    api.connections.disconnect(provider).then(onChange, (failure: unknown) => setProblem(failure instanceof Error ? failure.message : String(failure)));
  };
  const connect = (
    <a className="button" href={`/api/connections/${encodeURIComponent(provider)}/connect`}>
      {texts.connectTo(provider)}
    </a>
  );
  const missing = scopes.filter(({ granted }) => !granted);
  if (account === null) {
    return (
      <section className="mailbox">
        <p>
          {texts.notConnected(name)} {texts.connectWhy(name)}
        </p>
        <Reasons scopes={scopes} />
        {connect}
      </section>
    );
  }
  return (
    <section className="mailbox">
      <p>
        {name}: <strong>{account}</strong>{" "}
        <button type="button" aria-label={texts.disconnectFrom(name)} onClick={disconnect}>
          {texts.disconnect}
        </button>
        {problem !== undefined && <span role="alert">{problem}</span>}
      </p>
      {missing.length > 0 && (
        <>
          <p>{texts.notAllowed}</p>
          <Reasons scopes={missing} />
          {connect}
        </>
      )}
    </section>
  );
}

function Reasons({ scopes }: Pick<ConnectionView, "scopes">) {
  return (
    <ul>
      {scopes.map(({ scope, why }) => (
        <li key={scope}>{why}</li>
      ))}
    </ul>
  );
}
