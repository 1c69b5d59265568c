import { formatBytes, type CardPayload } from "@bron/protocol";
import { useState } from "react";
import { OriginTag } from "../run/origin-tag.tsx";
import { fileType } from "../words/file-type.ts";
import { texts } from "../texts.ts";
import { Ago } from "../time.tsx";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Panel } from "../ui/panel.tsx";

/** More would hide the steps that follow. */
const maxAtOnce = 3;

export function SearchResults({ matches }: CardPayload<"EmailSearchResultsCard">) {
  const [isAll, setAll] = useState(false);
  const rest = matches.length - maxAtOnce;
  return (
    <Panel
      title={matches.length === 0 ? texts.cards.foundNone : texts.cards.found(matches.length)}
      actions={<OriginTag origin="mail" />}
    >
      <ul className="grid gap-1.5">
        {matches
          .slice(0, isAll ? undefined : maxAtOnce)
          .map(({ messageId, from, subject, date }) => (
            <li
              key={messageId}
              className="grid gap-x-3 text-sm wrap-anywhere sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)_auto]"
            >
              <span className="truncate text-quiet" title={from}>
                {senderName(from)}
              </span>
              <span className="font-medium sm:truncate">{subject}</span>
              <span className="whitespace-nowrap text-quiet">
                <Ago at={date} />
              </span>
            </li>
          ))}
      </ul>
      {rest > 0 && !isAll && (
        <Button kind="quiet" className="mt-1 -ml-3" onClick={() => setAll(true)}>
          {texts.cards.moreFound(rest)}
        </Button>
      )}
    </Panel>
  );
}

/** "Rachel Stone" of "Rachel Stone <accounts@northwind-parts.example>" */
function senderName(from: string): string {
  const name = from.slice(0, Math.max(0, from.indexOf("<"))).trim();
  return name === "" ? from : name;
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

/** Below this, a person should look at the value. */
const sureFrom = 0.6;

/** What was read in a file. A value has a remark only if there is a doubt about it. */
export function ExtractedFields({ source, fields }: CardPayload<"ExtractedFieldsTable">) {
  const isUnsure = fields.some(({ found, confidence }) => found === false || confidence < sureFrom);
  return (
    <Panel title={texts.cards.fields(source)} actions={<OriginTag origin="document" />}>
      <div className="overflow-x-auto">
        <table className="w-full text-sm">
          <thead>
            <tr>
              {[texts.cards.field, texts.cards.value, ...(isUnsure ? [texts.cards.check] : [])].map(
                (name) => (
                  <th
                    key={name}
                    scope="col"
                    className="border-t-0 pb-1.5 text-xs font-semibold text-quiet"
                  >
                    {name}
                  </th>
                ),
              )}
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
                    title={place}
                    className={cx(
                      "py-1.5 pr-3 wrap-break-word tabular-nums",
                      isMissing ? "text-bad" : "font-medium",
                    )}
                  >
                    {value}
                  </td>
                  {isUnsure && (
                    <td
                      className={cx(
                        "py-1.5 whitespace-nowrap",
                        isMissing ? "text-bad" : "text-quiet",
                      )}
                    >
                      {isMissing
                        ? texts.cards.notFound
                        : confidence < sureFrom
                          ? texts.cards.unsure
                          : ""}
                    </td>
                  )}
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
