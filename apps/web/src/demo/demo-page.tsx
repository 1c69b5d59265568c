import { visible, type DemoView } from "@bron/protocol";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { Ago } from "../time.tsx";
import { cx } from "../ui/cx.ts";
import { boxClass } from "../ui/field.tsx";
import { Page } from "../ui/page.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { FaultSwitches } from "./fault-switches.tsx";
import { listClass, SandboxCalendar, SandboxMail, SandboxSlack } from "./sandbox-lists.tsx";

const tabs = ["happened", "mail", "calendar", "slack", "calls"] as const;

/**
 * Shows the simulated services themselves, so that what Bron did can be checked. Refetches on its
 * own.
 */
export function DemoPage() {
  const [account, setAccount] = useState<string>();
  const [tab, setTab] = useState<(typeof tabs)[number]>("happened");
  const simulator = useQuery({ ...queries.demo(account), placeholderData: keepPreviousData });
  const client = useQueryClient();
  const view = simulator.data;
  return (
    <Page title={texts.sandbox.title} about={texts.sandbox.about} width="wide">
      {simulator.isPending && <Loading />}
      <Problem error={simulator.error} onRetry={() => void simulator.refetch()} />
      {view && (
        <>
          <div className="mb-6 grid grid-cols-1 gap-4">
            <FaultSwitches
              active={view.faults}
              onChange={() => void client.invalidateQueries({ queryKey: ["demo"] })}
            />
            <label className="flex flex-wrap items-center gap-2 text-sm text-quiet">
              {texts.sandbox.account}
              <select
                value={view.account}
                onChange={({ target }) => setAccount(target.value)}
                className={boxClass}
              >
                {view.accounts.map((address) => (
                  <option key={address}>{address}</option>
                ))}
              </select>
            </label>
          </div>
          <Tabs
            label={texts.sandbox.title}
            value={tab}
            onChange={setTab}
            tabs={tabs.map((value) => ({ value, name: texts.sandbox.tabs[value] }))}
          >
            <div className="wrap-anywhere">
              {tab === "happened" && <Happened {...view} />}
              {tab === "mail" && <SandboxMail {...view.mail} />}
              {tab === "calendar" && <SandboxCalendar events={view.events} />}
              {tab === "slack" && <SandboxSlack channels={view.channels} />}
              {tab === "calls" && <Calls {...view} />}
            </div>
          </Tabs>
        </>
      )}
    </Page>
  );
}

function Happened({ happened }: Pick<DemoView, "happened">) {
  if (happened.length === 0) return <Empty title={texts.sandbox.nothingHappened} />;
  return (
    <ul className={listClass}>
      {happened.map(({ at, by, what, detail }, index) => (
        <li key={`${index}-${at}`} className="px-4 py-3">
          <p>
            <strong className="font-medium">{what}</strong>{" "}
            <span className="text-sm text-quiet">
              <Ago at={at} /> · {by === "app" ? texts.sandbox.byBron : texts.sandbox.byYou}
            </span>
          </p>
          <p className="text-sm">{visible(detail)}</p>
        </li>
      ))}
    </ul>
  );
}

function Calls({ calls }: Pick<DemoView, "calls">) {
  if (calls.length === 0) return <Empty title={texts.sandbox.noCalls} />;
  return (
    <>
      <p className="mb-4 text-sm text-quiet">{texts.sandbox.callsAbout}</p>
      <div
        role="region"
        aria-label={texts.sandbox.tabs.calls}
        tabIndex={0}
        className="overflow-x-auto rounded-xl border border-edge bg-surface"
      >
        <table className="w-full min-w-160 border-collapse text-sm">
          <thead>
            <tr className="text-quiet">
              {texts.sandbox.callColumns.map((name) => (
                <th key={name} scope="col" className="border-0 px-4 py-2 text-left font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {calls.map(({ at, method, answer: status, fault, effects }, index) => (
              <tr
                key={`${index}-${at}`}
                className={cx("border-t border-edge align-top", fault !== "" && "text-bad")}
              >
                <td className="px-4 py-2 whitespace-nowrap">
                  <Ago at={at} />
                </td>
                <th scope="row" className="px-4 py-2 text-left font-normal">
                  <code className="whitespace-nowrap">{method}</code>
                </th>
                <td className="px-4 py-2 whitespace-nowrap">{status}</td>
                <td className="px-4 py-2">
                  {[fault, ...effects].filter(Boolean).map(visible).join("; ")}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
