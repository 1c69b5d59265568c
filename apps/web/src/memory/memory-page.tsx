import type { BronView, MemoryEntry } from "@bron/protocol";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, inputClass } from "../ui/field.tsx";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";
import { useDebounced } from "../use-debounced.ts";
import { memoryWords } from "../words/memory.ts";
import { BronSelect } from "../brons/bron-select.tsx";
import { MemoryForm } from "./memory-form.tsx";
import { MemoryRow } from "./memory-row.tsx";
import { useMemoryChanges } from "./use-memory-changes.ts";

const pauseMs = 200;

/** What Brons remember: suggestions first, then what the owner confirmed. */
export function MemoryPage() {
  const [typed, setTyped] = useState("");
  const [bronId, setBronId] = useState("");
  const words = useDebounced(typed.trim(), pauseMs);
  const [edited, setEdited] = useState<MemoryEntry | "new">();
  const { data: brons = [] } = useQuery(queries.brons());
  const options = { placeholderData: keepPreviousData } as const;
  const suggested = useInfiniteQuery({
    ...queries.memory({ state: "suggested", words, bronId }),
    ...options,
  });
  const confirmed = useInfiniteQuery({
    ...queries.memory({ state: "confirmed", words, bronId }),
    ...options,
  });
  const close = () => setEdited(undefined);
  const isFiltered = words !== "" || bronId !== "";
  const all = [suggested, confirmed];
  const isEmpty = all.every(({ data }) => data?.pages[0]?.entries.length === 0);
  return (
    <Page
      title={texts.places.memory}
      about={memoryWords.about}
      actions={
        <Button kind="main" onClick={() => setEdited("new")}>
          {memoryWords.add}
        </Button>
      }
    >
      {(!isEmpty || isFiltered) && (
        <MemoryFilters
          brons={brons}
          typed={typed}
          onType={setTyped}
          bronId={bronId}
          onBron={setBronId}
        />
      )}
      {all.some(({ isPending }) => isPending) && <Loading />}
      <Problem
        error={all.find(({ error }) => error !== null)?.error}
        onRetry={() => void Promise.all(all.map((query) => query.refetch()))}
      />
      {isEmpty && (
        <Empty title={isFiltered ? memoryWords.noneFound : memoryWords.empty}>
          {isFiltered ? memoryWords.noneFoundAbout : memoryWords.emptyAbout}
        </Empty>
      )}
      <div className="grid grid-cols-1 gap-5">
        <MemoryList
          title={memoryWords.suggestions}
          about={memoryWords.suggestionsAbout}
          query={suggested}
          brons={brons}
          onEdit={setEdited}
        />
        <MemoryList
          title={memoryWords.confirmed}
          query={confirmed}
          brons={brons}
          onEdit={setEdited}
        />
      </div>
      <Dialog
        title={edited === "new" ? memoryWords.add : memoryWords.editTitle}
        isOpen={edited !== undefined}
        onClose={close}
      >
        {edited !== undefined && (
          <MemoryForm
            brons={brons}
            {...(edited === "new" ? {} : { entry: edited })}
            onClose={close}
          />
        )}
      </Dialog>
    </Page>
  );
}

interface MemoryFiltersProps {
  readonly brons: readonly BronView[];
  readonly typed: string;
  onType(words: string): void;
  readonly bronId: string;
  onBron(bronId: string): void;
}

function MemoryFilters({ brons, typed, onType, bronId, onBron }: MemoryFiltersProps) {
  return (
    <div className="mb-5 grid gap-3 sm:grid-cols-[minmax(0,1fr)_12rem]">
      <Field label={memoryWords.search}>
        {(ids) => (
          <input
            {...ids}
            data-page-search
            type="search"
            maxLength={200}
            autoComplete="off"
            value={typed}
            onChange={({ target }) => onType(target.value)}
            className={inputClass}
          />
        )}
      </Field>
      <BronSelect label={memoryWords.forWhom} brons={brons} value={bronId} onChange={onBron} />
    </div>
  );
}

interface MemoryListProps {
  readonly title: string;
  readonly about?: string;
  readonly query: ReturnType<typeof useInfiniteQuery<PageOf, Error, { readonly pages: PageOf[] }>>;
  readonly brons: readonly BronView[];
  onEdit(entry: MemoryEntry): void;
}

interface PageOf {
  readonly entries: readonly MemoryEntry[];
}

/** Nothing if there is no entry in this state. */
function MemoryList({ title, about, query, brons, onEdit }: MemoryListProps) {
  const { confirm, forget } = useMemoryChanges();
  const sure = useConfirm();
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  if (entries.length === 0) return null;
  return (
    <Panel title={title}>
      {about !== undefined && <p className="mb-2 text-sm text-quiet">{about}</p>}
      <Refused error={confirm.error ?? forget.error} />
      <ul aria-label={title} className="divide-y divide-edge">
        {entries.map((entry) => (
          <MemoryRow
            key={entry.id}
            entry={entry}
            brons={brons}
            isBusy={confirm.isPending || forget.isPending}
            onConfirm={() => confirm.mutate(entry)}
            onEdit={() => onEdit(entry)}
            onForget={() =>
              sure.ask({ ...memoryWords.sureForget, onYes: () => forget.mutate(entry) })
            }
          />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          className="mt-3"
          isBusy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {query.isFetchingNextPage ? texts.loading : texts.more}
        </Button>
      )}
      {sure.dialog}
    </Panel>
  );
}
