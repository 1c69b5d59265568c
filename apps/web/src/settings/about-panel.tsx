import { useQuery } from "@tanstack/react-query";
import { queries } from "../live/queries.ts";
import { settingsWords } from "../words/settings.ts";
import { Panel } from "../ui/panel.tsx";
import { Loading, Problem } from "../ui/states.tsx";

const words = settingsWords;

export function AboutPanel() {
  const about = useQuery(queries.about());
  const { data: me } = useQuery(queries.me());
  const simulated = about.data && [
    ...(about.data.demoMail ? [words.demoModes.accounts] : []),
    ...(about.data.demoModel ? [words.demoModes.model] : []),
  ];
  const facts = about.data && [
    [words.version, about.data.version],
    [words.model, about.data.model],
    [words.demo, simulated && simulated.length > 0 ? simulated.join(", ") : words.demoModes.off],
    ...(me ? [[words.you, me.email ?? me.ownerId] as const] : []),
  ];
  return (
    <Panel title={words.server}>
      {about.isPending && <Loading />}
      <Problem error={about.error} onRetry={() => void about.refetch()} />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1 text-sm">
        {facts?.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-quiet">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        <a href="/docs">{words.docs}</a>
        <a href="/docs/errors">{words.errors}</a>
      </p>
    </Panel>
  );
}
