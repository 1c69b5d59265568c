import { visible, type DemoView } from "@bron/protocol";
import { useEffect, useState } from "react";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { Time } from "../time.tsx";
import "./demo.css";
import { FaultSwitches } from "./fault-switches.tsx";
import { WorldCalendar, WorldMail, WorldSlack } from "./world-lists.tsx";

const tabs = ["happened", "mail", "calendar", "slack", "calls"] as const;
type Tab = (typeof tabs)[number];

const everyMs = 2_000;

/** The simulated outside as it is: what Bron really did there, whatever it says. Looks again by itself. */
export function DemoPage() {
  const [view, setView] = useState<DemoView>();
  const [error, setError] = useState<string>();
  const [account, setAccount] = useState<string>();
  const [tab, setTab] = useState<Tab>("happened");
  useEffect(() => {
    let isOver = false;
    const look = () =>
      api.demo.view(account).then(
        (seen) => {
          if (isOver) return;
          setView(seen);
          setError(undefined);
        },
        (failure: unknown) => isOver || setError(failure instanceof Error ? failure.message : String(failure)),
      );
    void look();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void look();
    }, everyMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [account]);

  return (
    <>
      <h1>{texts.world.title}</h1>
      <p className="quiet">{texts.world.about}</p>
      {error !== undefined && <p role="alert">{error}</p>}
      {!view && error === undefined && <p className="quiet">{texts.loading}</p>}
      {view && (
        <>
          <FaultSwitches active={view.faults} onChange={setView} onError={setError} />
          <div className="row">
            <label>
              {texts.world.account}{" "}
              <select value={view.account} onChange={(event) => setAccount(event.target.value)}>
                {view.accounts.map((address) => (
                  <option key={address}>{address}</option>
                ))}
              </select>
            </label>
          </div>
          <div className="tabs" role="tablist" aria-label={texts.world.title}>
            {tabs.map((name) => (
              <button key={name} type="button" role="tab" id={`tab-${name}`} aria-selected={tab === name} aria-controls="world-panel" onClick={() => setTab(name)}>
                {texts.world.tabs[name]}
              </button>
            ))}
          </div>
          <div role="tabpanel" id="world-panel" aria-labelledby={`tab-${tab}`}>
            {tab === "happened" && <Happened {...view} />}
            {tab === "mail" && <WorldMail {...view.mail} />}
            {tab === "calendar" && <WorldCalendar events={view.events} />}
            {tab === "slack" && <WorldSlack channels={view.channels} />}
            {tab === "calls" && <Calls {...view} />}
          </div>
        </>
      )}
    </>
  );
}

function Happened({ happened }: Pick<DemoView, "happened">) {
  if (happened.length === 0) return <p className="quiet">{texts.world.nothingHappened}</p>;
  return (
    <ul className="matches">
      {happened.map(({ at, by, what, detail }, index) => (
        <li key={`${index}-${at}`}>
          <span>
            <strong>{what}</strong>{" "}
            <span className="quiet">
              <Time at={at} /> · {by === "app" ? texts.world.byBron : texts.world.byHand}
            </span>
          </span>
          <span>{visible(detail)}</span>
        </li>
      ))}
    </ul>
  );
}

function Calls({ calls }: Pick<DemoView, "calls">) {
  if (calls.length === 0) return <p className="quiet">{texts.world.noCalls}</p>;
  return (
    <div className="wide">
      <table>
        <thead>
          <tr>
            {texts.world.callColumns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {calls.map(({ at, method, answer, fault, effects }, index) => (
            <tr key={`${index}-${at}`} className={fault === "" ? undefined : "missing"}>
              <td>
                <Time at={at} />
              </td>
              <th scope="row">
                <code>{method}</code>
              </th>
              <td>{answer}</td>
              <td>{[fault, ...effects].filter(Boolean).map(visible).join("; ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
