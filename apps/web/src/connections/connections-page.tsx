import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { connectionsWords } from "../words/connections.ts";
import { guideWords } from "../words/guide.ts";
import { Button } from "../ui/button.tsx";
import { SetupGuide } from "./setup-guide.tsx";
import { useGuide } from "./use-guide.ts";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { AccountCard } from "./account-card.tsx";
import { LocalModelsPanel } from "./local-models-panel.tsx";
import { McpPanel } from "./mcp-panel.tsx";
import { ModelKeysPanel } from "./model-keys-panel.tsx";

/** Connected accounts and model keys. Simulated accounts are labeled. */
export function ConnectionsPage() {
  const connections = useQuery(queries.connections());
  const { data: about } = useQuery(queries.about());
  const { data: clients = [] } = useQuery(queries.oauthClients());
  const guide = useGuide();
  return (
    <Page
      title={texts.places.connections}
      about={connectionsWords.about}
      width="wide"
      {...(guide.isShown
        ? {}
        : {
            actions: (
              <Button kind="quiet" onClick={guide.show}>
                {guideWords.show}
              </Button>
            ),
          })}
    >
      <div className="grid grid-cols-1 gap-5">
        {about && guide.isShown && <SetupGuide about={about} onDismiss={guide.dismiss} />}
        {about?.demoMail === true && !guide.isShown && <DemoNote />}
        {connections.isPending && <Loading />}
        <Problem error={connections.error} onRetry={() => void connections.refetch()} />
        {connections.data?.length === 0 && (
          <Empty title={connectionsWords.none}>{connectionsWords.noneHint}</Empty>
        )}
        <div className="grid grid-cols-1 gap-5 md:grid-cols-2">
          {connections.data?.map((connection) => (
            <AccountCard
              key={connection.provider}
              connection={connection}
              client={clients.find(({ provider }) => provider === connection.provider)}
            />
          ))}
        </div>
        <McpPanel />
        <div id="model" className="grid scroll-mt-24 gap-5">
          <LocalModelsPanel />
          {about && <ModelKeysPanel about={about} />}
        </div>
      </div>
    </Page>
  );
}

function DemoNote() {
  const { demo } = connectionsWords;
  return (
    <Panel title={demo.title}>
      <p className="max-w-prose text-sm">
        {demo.words} <Link to="/demo">{demo.look}</Link>
      </p>
    </Panel>
  );
}
