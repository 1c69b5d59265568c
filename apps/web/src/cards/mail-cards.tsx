import { formatBytes, type CardPayload } from "@bron/protocol";
import { OriginTag } from "../run/origin-tag.tsx";
import { fileType } from "../words/file-type.ts";
import { texts } from "../texts.ts";
import { Time } from "../time.tsx";
import { cx } from "../ui/cx.ts";
import { Panel } from "../ui/panel.tsx";

export function SearchResults({ query, matches }: CardPayload<"EmailSearchResultsCard">) {
  return (
    <Panel
      title={matches.length === 0 ? texts.cards.foundNone : texts.cards.found(matches.length)}
      actions={<OriginTag origin="mail" />}
    >
      <p className="mb-2 font-mono text-xs text-quiet wrap-anywhere">{query}</p>
      <ul className="divide-y divide-edge">
        {matches.map(({ messageId, from, subject, date, reason }) => (
          <li key={messageId} className="grid gap-0.5 py-2.5 wrap-anywhere first:pt-0 last:pb-0">
            <span className="font-medium">{subject}</span>
            <span className="text-sm">{from}</span>
            <span className="text-sm text-quiet">
              <Time at={date} /> · {reason}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function AttachmentSummary({ attachments }: CardPayload<"AttachmentSummaryCard">) {
  return (
    <Panel title={texts.cards.attachments} actions={<OriginTag origin="mail" />}>
      <ul className="grid gap-1.5">
        {attachments.map(({ attachmentId, filename, mimeType, sizeBytes }) => (
          <li key={attachmentId} className="wrap-anywhere">
            <span className="font-medium">{filename}</span>{" "}
            <span className="text-sm text-quiet">{`${fileType(mimeType)}, ${formatBytes(sizeBytes)}`}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function ExtractedFields({ source, fields }: CardPayload<"ExtractedFieldsTable">) {
  return (
    <Panel title={texts.cards.fields(source)} actions={<OriginTag origin="document" />}>
      <div className="overflow-x-auto">
        <table className="w-full text-sm">
          <thead>
            <tr>
              {[texts.cards.field, texts.cards.value, texts.cards.confidence].map((name) => (
                <th
                  key={name}
                  scope="col"
                  className="border-t-0 pb-1.5 text-xs font-semibold text-quiet"
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {fields.map(({ key, value, confidence, found, place }, index) => {
              const isMissing = found === false;
              return (
                <tr key={`${index}-${key}`} data-found={!isMissing}>
                  <th scope="row" className="py-1.5 text-quiet">
                    {key}
                  </th>
                  <td
                    className={cx(
                      "py-1.5 pr-3 wrap-break-word sm:w-1/2",
                      isMissing ? "text-bad" : "font-medium",
                    )}
                  >
                    {value}
                  </td>
                  <td
                    title={place}
                    className={cx(
                      "py-1.5 whitespace-nowrap tabular-nums",
                      isMissing ? "text-bad" : "text-quiet",
                    )}
                  >
                    {isMissing ? texts.cards.notFound : `${Math.round(confidence * 100)}%`}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

export function EmailDraft({ to, cc, subject, bodyText }: CardPayload<"EmailDraftCard">) {
  const rows = [
    [texts.approval.to, to],
    ...(cc.length > 0 ? [[texts.approval.cc, cc.join(", ")] as const] : []),
    [texts.approval.subject, subject],
  ] as const;
  return (
    <Panel title={texts.cards.draft}>
      <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[5rem_minmax(0,1fr)]">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-sm text-quiet">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <details className="mt-2">
        <summary className="cursor-pointer truncate text-sm text-quiet">
          {bodyText.split("\n").find((line) => line.trim() !== "") ?? ""}…
        </summary>
        <p className="mt-2 border-t border-edge pt-2 whitespace-pre-wrap wrap-anywhere">
          {bodyText}
        </p>
      </details>
    </Panel>
  );
}
