import { describeItem, visible, type BronView, type MemoryEntry } from "@bron/protocol";
import { Link } from "@tanstack/react-router";
import { OriginTag } from "../run/origin-tag.tsx";
import { Ago } from "../time.tsx";
import { Button } from "../ui/button.tsx";
import { memoryWords } from "../words/memory.ts";

interface MemoryRowProps {
  readonly entry: MemoryEntry;
  readonly brons: readonly BronView[];
  readonly isBusy: boolean;
  onConfirm(): void;
  onEdit(): void;
  onForget(): void;
}

/** One remembered statement with its source and what the owner can do with it. */
export function MemoryRow({ entry, brons, isBusy, onConfirm, onEdit, onForget }: MemoryRowProps) {
  const text = visible(entry.text);
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  const isSuggestion = entry.state === "suggested";
  return (
    <li className="grid gap-2 py-3">
      <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 basis-full text-sm text-quiet sm:flex-1 sm:basis-0">
          <p className="wrap-anywhere">
            {memoryWords.kindTags[entry.kind]} · {bronName(entry, brons)} ·{" "}
            <Ago at={entry.updatedAt} />
          </p>
          <Source entry={entry} />
        </div>
        <div className="flex flex-wrap gap-1.5">
          {isSuggestion && (
            <Button
              kind="main"
              isBusy={isBusy}
              aria-label={memoryWords.confirmOne(short)}
              onClick={onConfirm}
            >
              {memoryWords.confirm}
            </Button>
          )}
          <Button kind="quiet" aria-label={memoryWords.editOne(short)} onClick={onEdit}>
            {memoryWords.edit}
          </Button>
          <Button
            kind={isSuggestion ? "danger" : "quiet"}
            isBusy={isBusy}
            aria-label={memoryWords.forgetOne(short)}
            onClick={onForget}
          >
            {memoryWords.forget}
          </Button>
        </div>
      </div>
    </li>
  );
}

/** The owner decides by it, so every text in it is made visible. */
function Source({ entry: { author, source } }: { readonly entry: MemoryEntry }) {
  if (author === "owner" || source === null) return <p>{memoryWords.byYou}</p>;
  const date = (iso: string) =>
    new Date(iso).toLocaleDateString(undefined, { day: "numeric", month: "short" });
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {source.origins.length === 0 ? (
        <span>{memoryWords.fromYourWords}</span>
      ) : (
        <>
          {source.origins.map((origin) => (
            <OriginTag key={origin} origin={origin} />
          ))}
          {source.items.length > 0 && (
            <span className="wrap-anywhere">
              {memoryWords.from} {source.items.map((item) => describeItem(item, date)).join("; ")}
            </span>
          )}
        </>
      )}
      <Link to="/runs/$runId" params={{ runId: source.runId }} search={{}}>
        {memoryWords.openTask}
      </Link>
    </div>
  );
}

function bronName({ bronId }: MemoryEntry, brons: readonly BronView[]): string {
  if (bronId === null) return memoryWords.everyBron;
  return visible(brons.find(({ id }) => id === bronId)?.name ?? memoryWords.everyBron);
}
