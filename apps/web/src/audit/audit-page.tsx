import { activityKinds, omitUndefined, visible, type ActivityKind } from "@bron/protocol";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { queries } from "../live/queries.ts";
import type { AuditSearch } from "../search.ts";
import { texts } from "../texts.ts";
import { auditWords } from "../words/audit.ts";
import { useNow } from "../use-now.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { boxClass } from "../ui/field.tsx";
import { Page } from "../ui/page.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import { byDay, dayHeading } from "./activity-days.ts";
import { ActivityRow } from "./activity-row.tsx";

/** The activity log by day, newest first: one row for each action. */
export function AuditPage() {
  const search: AuditSearch = useSearch({ from: "/audit" });
  const { kind, runId, search: words } = search;
  const activity = useInfiniteQuery({
    ...queries.activity({ kind, runId, search: words }),
    placeholderData: keepPreviousData,
  });
  const rows = activity.data?.pages.flatMap((page) => page.activity) ?? [];
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isError } = activity;
  // The server looks through a part of the log at a time, which may not have a single match.
  const isSearchingOn = rows.length === 0 && hasNextPage && !isError;
  useEffect(() => {
    if (isSearchingOn && !isFetchingNextPage) void fetchNextPage();
  }, [isSearchingOn, isFetchingNextPage, fetchNextPage]);
  const now = useNow(true, 60_000);
  return (
    <Page
      title={texts.places.audit}
      about={auditWords.about}
      width="wide"
      actions={<ExportLink runId={runId} />}
    >
      <Filter search={search} title={rows.find(({ task }) => task !== null)?.task?.title} />
      {activity.isPending && <Skeleton lines={8} />}
      <Problem error={activity.error} onRetry={() => void activity.refetch()} />
      {isSearchingOn && (
        <p role="status" className="animate-pulse py-6 text-quiet">
          {auditWords.searching}
        </p>
      )}
      {activity.data && rows.length === 0 && !hasNextPage && <Nothing search={search} />}
      {byDay(rows).map(({ day, rows: its }) => (
        <section key={day} aria-labelledby={`day-${day}`} className="mb-6">
          <h2 id={`day-${day}`} className="m-0 mb-2 text-sm font-semibold text-quiet">
            {dayHeading(day, new Date(now))}
          </h2>
          <ol className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-surface">
            {its.map((row) => (
              <ActivityRow key={row.entries[0]?.id} row={row} />
            ))}
          </ol>
        </section>
      ))}
      {rows.length > 0 && (
        <div className="mt-4 text-center text-sm text-quiet">
          {hasNextPage ? (
            <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {isFetchingNextPage ? texts.loading : texts.more}
            </Button>
          ) : (
            auditWords.end
          )}
        </div>
      )}
    </Page>
  );
}

/** The export has every entry as it is stored, so the other filters do not apply to it. */
function ExportLink({ runId }: { readonly runId: string | undefined }) {
  return (
    <a
      href={`/api/audit/export${runId === undefined ? "" : `?${new URLSearchParams({ runId }).toString()}`}`}
      download="bron-audit.jsonl"
      title={auditWords.exportHint}
      className={buttonClass()}
    >
      {auditWords.export}
    </a>
  );
}

function Nothing({ search }: { readonly search: AuditSearch }) {
  const navigate = useNavigate({ from: "/audit" });
  const isFiltered = Object.keys(search).length > 0;
  return (
    <Empty title={isFiltered ? auditWords.emptyFilter : auditWords.empty}>
      {isFiltered ? (
        <Button className="mt-2" onClick={() => void navigate({ search: {}, replace: true })}>
          {auditWords.clear}
        </Button>
      ) : (
        auditWords.emptyHint
      )}
    </Empty>
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
  const change = (next: {
    readonly [Name in keyof AuditSearch]: AuditSearch[Name] | undefined;
  }) => void navigate({ search: omitUndefined({ ...search, ...next }), replace: true });
  const { runId, kind } = search;
  return (
    <div className="mb-6 flex flex-wrap items-center gap-3">
      <SearchField
        words={search.search ?? ""}
        onChange={(words) => change({ search: words === "" ? undefined : words })}
      />
      <label className="flex max-w-full min-w-0 items-center gap-2 text-sm text-quiet">
        {auditWords.group}
        <select
          value={kind ?? ""}
          onChange={({ target }) =>
            change({ kind: target.value === "" ? undefined : (target.value as ActivityKind) })
          }
          className={`${boxClass} min-w-0 flex-1`}
        >
          <option value="">{auditWords.everything}</option>
          {activityKinds.map((value) => (
            <option key={value} value={value}>
              {auditWords.kinds[value]}
            </option>
          ))}
        </select>
      </label>
      {runId !== undefined && (
        <span className="flex min-w-0 items-center gap-2 text-sm">
          <span className="truncate">
            {auditWords.onlyRun}
            {title === undefined ? "" : `: ${visible(title)}`}
          </span>
          <Button kind="quiet" onClick={() => change({ runId: undefined })}>
            {auditWords.showAll}
          </Button>
        </span>
      )}
    </div>
  );
}

const typingMs = 250;

/** Searches when no more keys are pressed. */
function SearchField({
  words,
  onChange,
}: {
  readonly words: string;
  onChange(words: string): void;
}) {
  const [typed, setTyped] = useState(words);
  const [searched, setSearched] = useState(words);
  if (searched !== words) {
    setSearched(words);
    // The button that clears all filters empties the field as well.
    if (words === "") setTyped("");
  }
  useEffect(() => {
    if (typed.trim() === words) return undefined;
    const timer = setTimeout(() => onChange(typed.trim()), typingMs);
    return () => clearTimeout(timer);
  }, [typed, words, onChange]);
  return (
    <input
      type="search"
      aria-label={auditWords.search}
      placeholder={auditWords.search}
      value={typed}
      maxLength={200}
      onChange={({ target }) => setTyped(target.value)}
      className={`${boxClass} w-full sm:w-80`}
    />
  );
}
