import type { SessionView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { useOptimistic } from "../live/use-optimistic.ts";
import { settingsWords } from "../words/settings.ts";
import { Ago, Time } from "../time.tsx";
import { Button } from "../ui/button.tsx";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";
import { deviceOf } from "./device-of.ts";

const words = settingsWords;

/** The browsers that are signed in. The current one is ended by signing out. */
export function SessionsPanel() {
  const sessions = useQuery(queries.sessions());
  const { ask, dialog } = useConfirm();
  const { queryKey } = queries.sessions();
  const end = useOptimistic({
    queryKey,
    request: (id: string) => api.call("DELETE /api/sessions/:id", { params: { id } }),
    predict: (before, id) => before.filter((session) => session.id !== id),
  });
  const endOthers = useOptimistic({
    queryKey,
    request: () => api.call("POST /api/sessions/end-others", { body: {} }),
    predict: (before) => before.filter(({ current }) => current),
  });
  const hasOthers = sessions.data?.some(({ current }) => !current) === true;
  const actions = hasOthers && (
    <Button onClick={() => ask({ ...words.sureEndOthers, onYes: () => endOthers.mutate() })}>
      {words.endOthers}
    </Button>
  );
  return (
    <Panel title={words.sessions} actions={actions}>
      <p className="text-sm text-quiet">{words.sessionsAbout}</p>
      {sessions.isPending && <Loading />}
      <Problem error={sessions.error} onRetry={() => void sessions.refetch()} />
      <Refused error={end.error ?? endOthers.error} />
      <ul aria-label={words.sessions} className="mt-3 divide-y divide-edge">
        {sessions.data?.map((session) => (
          <Session key={session.id} session={session} onEnd={() => end.mutate(session.id)} />
        ))}
      </ul>
      {dialog}
    </Panel>
  );
}

function Session({
  session: { userAgent, createdAt, lastSeenAt, current },
  onEnd,
}: {
  readonly session: SessionView;
  onEnd(): void;
}) {
  const name = deviceOf(userAgent);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere" title={userAgent}>
          {name}{" "}
          {current && (
            <span className="ml-1 rounded-full border border-good bg-good-soft px-2 py-0.5 text-xs font-medium text-good">
              {words.current}
            </span>
          )}
        </p>
        <p className="text-sm text-quiet">
          {words.lastSeen} <Ago at={lastSeenAt} /> · {words.since} <Time at={createdAt} />
        </p>
      </div>
      {!current && (
        <Button kind="quiet" aria-label={words.endSession(name)} onClick={onEnd}>
          {words.end}
        </Button>
      )}
    </li>
  );
}
