import { useState } from "react";
import { api } from "./api.ts";
import { texts } from "./texts.ts";
import { useLoad } from "./use-load.ts";

/** Which mailbox there is, and the way to connect one; what is asked for stands before the question. */
export function MailboxPanel() {
  const { value, reload } = useLoad("connections", api.connections.list);
  const [problem, setProblem] = useState<string>();
  const disconnect = () => {
    setProblem(undefined);
    api.connections.disconnect("google").then(reload, (failure: unknown) => setProblem(failure instanceof Error ? failure.message : String(failure)));
  };
  const google = value?.find(({ provider }) => provider === "google");
  if (!google) return null;
  if (google.account !== null) {
    return (
      <p className="mailbox">
        {texts.mailbox}: <strong>{google.account}</strong>{" "}
        <button type="button" onClick={disconnect}>
          {texts.disconnect}
        </button>
        {problem !== undefined && <span role="alert">{problem}</span>}
      </p>
    );
  }
  return (
    <section className="mailbox">
      <p>
        {texts.notConnected} {texts.connectWhy}
      </p>
      <ul>
        {google.scopes.map(({ scope, why }) => (
          <li key={scope}>{why}</li>
        ))}
      </ul>
      <a className="button" href="/api/gmail/connect">
        {texts.connect}
      </a>
    </section>
  );
}
