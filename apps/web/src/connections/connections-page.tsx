import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { AccountCard } from "./account-card.tsx";
import { ModelKeysPanel } from "./model-keys-panel.tsx";

/** Connected accounts and model keys. Simulated accounts are labeled. */
export function ConnectionsPage() {
  const connections = useQuery(queries.connections());
  const { data: about } = useQuery(queries.about());
  return (
    <Page title={texts.places.connections} about={texts.connections.about} width="wide">
      <div className="grid grid-cols-1 gap-5">
        {about?.demoMail === true && <DemoNote />}
        {connections.isPending && <Loading />}
        <Problem error={connections.error} onRetry={() => void connections.refetch()} />
        {connections.data?.length === 0 && (
          <Empty title={texts.connections.none}>{texts.connections.noneHint}</Empty>
        )}
        <div className="grid grid-cols-1 gap-5 md:grid-cols-2">
          {connections.data?.map((connection) => (
            <AccountCard
              key={connection.provider}
              connection={connection}
              isSimulated={about?.demoMail === true}
            />
          ))}
        </div>
        {about && <ModelKeysPanel about={about} />}
      </div>
    </Page>
  );
}

function DemoNote() {
  const { demo } = texts.connections;
  return (
    <Panel title={demo.title}>
      <p className="max-w-prose text-sm">
        {demo.words} <Link to="/demo">{demo.look}</Link>
      </p>
      <details className="mt-3 text-sm">
        <summary className="cursor-pointer font-medium">{demo.real}</summary>
        <ul className="mt-2 grid list-disc gap-1 pl-5">
          {[demo.google, demo.slack].map(({ before, link, href, after, guide }) => (
            <li key={href}>
              {before}{" "}
              <a href={href} target="_blank" rel="noreferrer">
                {link}
              </a>{" "}
              {after}{" "}
              <a href={guide} target="_blank" rel="noreferrer">
                {demo.guide}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </Panel>
  );
}
