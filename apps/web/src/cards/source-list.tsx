import { describeItem, type Risk, type RiskKind, type RiskSource } from "@bron/protocol";
import { Link } from "@tanstack/react-router";
import { texts } from "../texts.ts";
import { toolLabel } from "../words/tools.ts";

const shownAtOnce = 3;

/** Risks whose value is text of the source. */
const isText: ReadonlySet<RiskKind> = new Set([
  "recipient",
  "guest",
  "host",
  "value",
  "attachment",
]);

/** Where a value was found, or what may have led to it. The list is folded, and complete. */
export function SourceList({
  risk: { kind, from, found = true, value },
  runId,
}: {
  readonly risk: Risk;
  readonly runId: string;
}) {
  if (from.length === 0) return null;
  const entries = from.map((source) => ({
    key: `${source.runId} ${source.actionId} ${wordsOf(source)}`,
    source,
  }));
  const [shown, more] = [entries.slice(0, shownAtOnce), entries.slice(shownAtOnce)];
  const show = ({ key, source }: (typeof entries)[number]) => (
    <li key={key} className="wrap-anywhere">
      <SourceLink
        source={source}
        runId={runId}
        find={found && isText.has(kind) ? value : undefined}
      />
    </li>
  );
  return (
    <div className="text-quiet">
      <p>{found ? texts.approval.foundIn : texts.approval.mayComeFrom}:</p>
      <ul className="list-disc pl-5">{shown.map(show)}</ul>
      {more.length > 0 && (
        <details>
          <summary className="cursor-pointer">{texts.approval.moreSources(more.length)}</summary>
          <ul className="list-disc pl-5">{more.map(show)}</ul>
        </details>
      )}
    </div>
  );
}

function SourceLink({
  source,
  runId,
  find,
}: {
  readonly source: RiskSource;
  readonly runId: string;
  readonly find: string | undefined;
}) {
  const words = wordsOf(source);
  if (source.actionId === "") return words;
  const title = source.item?.title;
  return (
    <Link
      to="/runs/$runId"
      params={{ runId: source.runId ?? runId }}
      search={{
        step: source.actionId,
        ...((find ?? title) ? { find: find ?? title } : {}),
        ...(title ? { after: title } : {}),
      }}
      className="underline"
    >
      {words}
    </Link>
  );
}

function wordsOf({ origin, tool, item }: RiskSource): string {
  if (item) return describeItem(item, dayOf, texts.approval.sourceItems);
  const place = texts.approval.origins[origin];
  return tool === "" ? place : `${place} (${toolLabel(tool)})`;
}

function dayOf(date: string): string {
  const at = new Date(date);
  const isThisYear = at.getFullYear() === new Date().getFullYear();
  return at.toLocaleDateString(texts.language, {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
  });
}
