import { visible, type AuditView } from "@bron/protocol";
import { Link } from "@tanstack/react-router";
import { texts } from "../texts.ts";
import { Time } from "../time.tsx";
import { sentence } from "./audit-sentence.ts";

const ids = ["tool", "digest", "runId", "actionId", "effectId", "approvalId"] as const;

/** An entry as a sentence that expands to all of its fields. */
export function AuditRow({
  row,
  recipients,
  title,
}: {
  readonly row: AuditView;
  readonly recipients: readonly string[] | undefined;
  readonly title: string | undefined;
}) {
  const idFields = ids.flatMap((name) =>
    row[name] === null ? [] : [[texts.audit.fields[name], row[name]] as const],
  );
  const details = Object.entries(row.details).map(
    ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const,
  );
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-2.5">
      <span className="w-44 shrink-0 text-sm text-quiet">
        <Time at={row.at} />
      </span>
      <details className="min-w-0 flex-1 basis-64 text-sm">
        <summary className="cursor-pointer wrap-anywhere">{sentence(row, recipients)}</summary>
        <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 rounded-lg bg-raised p-3 text-sm">
          {[...idFields, ...details].map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-quiet">{name}</dt>
              <dd className="font-mono text-xs/5 wrap-anywhere">{visible(value)}</dd>
            </div>
          ))}
        </dl>
        {row.runId !== null && (
          <Link to="/audit" search={{ runId: row.runId }} className="mt-2 inline-block underline">
            {texts.audit.ofTask}
          </Link>
        )}
      </details>
      {row.runId !== null && (
        <Link to="/runs/$runId" params={{ runId: row.runId }} className="max-w-48 truncate text-sm">
          {title === undefined ? texts.audit.task : visible(title)}
        </Link>
      )}
    </li>
  );
}
