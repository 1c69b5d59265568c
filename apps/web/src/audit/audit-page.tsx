import { auditFilters, type AuditFilter } from "@bron/protocol";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { queries } from "../live/queries.ts";
import type { AuditSearch } from "../search.ts";
import { texts } from "../texts.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { boxClass } from "../ui/field.tsx";
import { Page } from "../ui/page.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { AuditRow } from "./audit-row.tsx";
import { recipientsByEffect } from "./audit-sentence.ts";

type Group = keyof typeof texts.audit.groups;
const groups = auditFilters.filter((filter): filter is Group => !filter.includes("."));

/** The activity log, newest first, filtered by kind or to one task. */
export function AuditPage() {
  const search: AuditSearch = useSearch({ from: "/audit" });
  const audit = useInfiniteQuery({
    ...queries.audit({ what: search.what, runId: search.runId }),
    placeholderData: keepPreviousData,
  });
  const { data: runs = [] } = useQuery(queries.runs({ limit: 100 }));
  const rows = audit.data?.pages.flatMap((page) => page.audit) ?? [];
  const recipients = recipientsByEffect(rows);
  const titles = new Map(runs.map(({ id, title }) => [id, title]));
  const address = `/api/audit/export?${new URLSearchParams({ ...search }).toString()}`;
  const exported = (
    <a
      href={address}
      download="bron-audit.jsonl"
      title={texts.audit.exportHint}
      className={buttonClass()}
    >
      {texts.audit.export}
    </a>
  );
  return (
    <Page title={texts.places.audit} about={texts.audit.about} width="wide" actions={exported}>
      <Filter search={search} title={titles.get(search.runId ?? "")} />
      {audit.isPending && <Loading />}
      <Problem error={audit.error} onRetry={() => void audit.refetch()} />
      {audit.data && rows.length === 0 && (
        <Empty
          title={
            search.what === undefined && search.runId === undefined
              ? texts.audit.empty
              : texts.audit.emptyFilter
          }
        >
          {texts.audit.emptyHint}
        </Empty>
      )}
      {rows.length > 0 && (
        <ol className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-surface">
          {rows.map((row) => (
            <AuditRow
              key={row.id}
              row={row}
              recipients={recipients.get(row.effectId ?? "")}
              title={titles.get(row.runId ?? "")}
            />
          ))}
        </ol>
      )}
      <div className="mt-4 text-center text-sm text-quiet">
        {audit.hasNextPage && (
          <Button disabled={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
            {audit.isFetchingNextPage ? texts.loading : texts.more}
          </Button>
        )}
        {rows.length > 0 && !audit.hasNextPage && texts.audit.end}
      </div>
    </Page>
  );
}

function Filter({
  search,
  title,
}: {
  readonly search: AuditSearch;
  readonly title: string | undefined;
}) {
  const navigate = useNavigate({ from: "/audit" });
  const narrow = (next: AuditSearch) => void navigate({ search: next, replace: true });
  const { runId } = search;
  const ofRun = runId === undefined ? {} : { runId };
  return (
    <div className="mb-5 flex flex-wrap items-center gap-3">
      <label className="flex items-center gap-2 text-sm text-quiet">
        {texts.audit.group}
        <select
          value={search.what ?? ""}
          onChange={({ target }) =>
            narrow(target.value === "" ? ofRun : { ...ofRun, what: target.value as AuditFilter })
          }
          className={boxClass}
        >
          <option value="">{texts.audit.everything}</option>
          {groups.map((group) => (
            <option key={group} value={group}>
              {texts.audit.groups[group]}
            </option>
          ))}
        </select>
      </label>
      {runId !== undefined && (
        <span className="flex min-w-0 items-center gap-2 text-sm">
          <span className="truncate">
            {texts.audit.onlyRun}: {title ?? runId}
          </span>
          <Button
            kind="quiet"
            onClick={() => narrow(search.what === undefined ? {} : { what: search.what })}
          >
            {texts.audit.showAll}
          </Button>
        </span>
      )}
    </div>
  );
}
