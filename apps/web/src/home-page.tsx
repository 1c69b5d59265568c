import { webStatusOf, type AboutView } from "@bron/protocol";
import { api } from "./api.ts";
import { Composer } from "./composer.tsx";
import { Link } from "./link.tsx";
import { ConnectionsPanel } from "./connections-panel.tsx";
import { texts } from "./texts.ts";
import { Time } from "./time.tsx";
import { useLoad } from "./use-load.ts";

export function HomePage({ about }: { readonly about: AboutView | undefined }) {
  const { value: runs, error } = useLoad("runs", () => api.runs.list({ limit: 20 }));
  return (
    <>
      <Composer suggestions={about?.suggestions ?? []} />
      <ConnectionsPanel />
      <section aria-labelledby="recent">
        <h2 id="recent">{texts.recent}</h2>
        {error !== undefined && <p role="alert">{error}</p>}
        {runs?.length === 0 && <p className="quiet">{texts.noRuns}</p>}
        <ul className="runs">
          {runs?.map((run) => (
            <li key={run.id}>
              <Link to={`/runs/${run.id}`}>
                <span className={`state ${webStatusOf[run.status]}`}>{texts.status[webStatusOf[run.status]]}</span>
                <span className="title">{run.title}</span>
                <Time at={run.createdAt} />
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
