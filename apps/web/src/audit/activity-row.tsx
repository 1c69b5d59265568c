import {
  summarizeAction,
  visible,
  type ActionStage,
  type ActivityView,
  type AuditView,
} from "@bron/protocol";
import { Link } from "@tanstack/react-router";
import { auditWords } from "../words/audit.ts";
import { Time, TimeOfDay } from "../time.tsx";
import { cx } from "../ui/cx.ts";
import { actionSentence, allowedWords, lifeSentence, sentence } from "./audit-sentence.ts";

/** An action, or another entry of the audit log, as a sentence that unfolds to all its entries. */
export function ActivityRow({ row }: { readonly row: ActivityView }) {
  const { entries, task, at } = row;
  const newest = entries.at(-1);
  if (!newest) return null;
  const action = summarizeAction(row);
  const about = [
    ...(action?.subject === undefined ? [] : [`“${visible(action.subject)}”`]),
    ...(action === undefined ? [] : [allowedWords(action) ?? ""]),
    ...(action?.reason === undefined ? [] : [`“${visible(action.reason)}”`]),
    ...(task === null ? [] : [visible(task.bronName)]),
  ].filter((words) => words !== "");
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-3 sm:flex-nowrap">
      <span className="w-18 shrink-0 text-sm whitespace-nowrap text-quiet tabular-nums">
        <TimeOfDay at={at} />
      </span>
      <details className="group min-w-0 flex-1 basis-52">
        <summary className="flex list-none items-baseline gap-2.5 text-sm [&::-webkit-details-marker]:hidden">
          <Dot stage={action?.stage} />
          <span className="min-w-0 flex-1">
            <span className="block font-medium wrap-anywhere">
              {action ? actionSentence(action) : sentence(newest)}
            </span>
            {about.length > 0 && (
              <span className="mt-0.5 block text-quiet wrap-anywhere">{about.join(" · ")}</span>
            )}
          </span>
          <Chevron />
        </summary>
        <div className="mt-3 ml-4.5 grid gap-3 text-sm">
          {action && <Life entries={entries} />}
          <Details entries={entries} />
          {newest.runId !== null && (
            <Link to="/audit" search={{ runId: newest.runId }}>
              {auditWords.ofTask}
            </Link>
          )}
        </div>
      </details>
      {newest.runId !== null && task !== null && (
        <Link
          to="/runs/$runId"
          params={{ runId: newest.runId }}
          className="w-full truncate pl-4.5 text-sm sm:pl-0 sm:w-44 sm:shrink-0 sm:text-right"
        >
          {visible(task.title) || auditWords.task}
        </Link>
      )}
    </li>
  );
}

const colors: Readonly<Record<ActionStage, string>> = {
  prepared: "bg-edge",
  waiting: "bg-ask-edge",
  approved: "bg-accent",
  started: "bg-accent",
  done: "bg-good",
  failed: "bg-bad",
  unknown: "bg-bad",
  denied: "bg-quiet",
  undone: "bg-quiet",
  expired: "bg-quiet",
  stopped: "bg-quiet",
  settled_done: "bg-good",
  settled_not_done: "bg-quiet",
  restored: "bg-quiet",
};

/** How far an action is, by color. The sentence says the same. */
function Dot({ stage }: { readonly stage: ActionStage | undefined }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        "size-2 shrink-0 -translate-y-px rounded-full",
        stage === undefined ? "border border-edge" : colors[stage],
      )}
    />
  );
}

function Chevron() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      className="size-4 shrink-0 translate-y-0.5 fill-none stroke-quiet stroke-2 transition-transform group-open:rotate-90"
    >
      <path d="m9 6 6 6-6 6" />
    </svg>
  );
}

/** Every entry of an action, oldest first. The heading has the day of the newest one. */
function Life({ entries }: { readonly entries: readonly AuditView[] }) {
  const dayOf = (entry: AuditView | undefined) =>
    entry === undefined ? "" : new Date(entry.at).toDateString();
  const day = dayOf(entries.at(-1));
  return (
    <ol aria-label={auditWords.steps} className="grid gap-1.5 border-l border-edge pl-4">
      {entries.map((entry) => (
        <li key={entry.id} className="flex flex-wrap gap-x-3">
          <span className="min-w-24 shrink-0 text-quiet tabular-nums">
            {dayOf(entry) === day ? <TimeOfDay at={entry.at} isExact /> : <Time at={entry.at} />}
          </span>
          <span className="min-w-0 wrap-anywhere">{lifeSentence(entry)}</span>
        </li>
      ))}
    </ol>
  );
}

const ids = ["tool", "digest", "runId", "actionId", "effectId", "approvalId"] as const;

/** The fields of every entry as they are stored. What is the same in all of them is shown once. */
function Details({ entries }: { readonly entries: readonly AuditView[] }) {
  const shared = ids.flatMap((name) => {
    const values = new Set(entries.flatMap((entry) => entry[name] ?? []));
    return [...values].map((value) => [auditWords.fields[name], value] as const);
  });
  const own = entries.map(
    ({ at, what, by, details }) => [`${at} ${what}`, JSON.stringify({ by, ...details })] as const,
  );
  return (
    <details className="group/details">
      <summary className="text-quiet">{auditWords.details}</summary>
      <dl className="mt-2 grid gap-x-4 gap-y-1 rounded-lg bg-raised p-3 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
        {[...shared, ...own].map(([name, value]) => (
          <div key={`${name} ${value}`} className="contents">
            <dt className="text-quiet wrap-anywhere sm:max-w-72">{name}</dt>
            <dd className="mb-1 font-mono text-xs/5 wrap-anywhere sm:mb-0">{visible(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
