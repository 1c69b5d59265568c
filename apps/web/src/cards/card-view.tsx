import type { Card, RunStatus } from "@bron/protocol";
import { texts } from "../texts.ts";
import { Time } from "../time.tsx";
import { ApprovalView } from "./approval-view.tsx";
import { UnknownEffectView } from "./unknown-effect-view.tsx";
import { CalendarEvent, CalendarEvents, SlackMessages } from "./workspace-cards.tsx";

/** What came from mail and documents is shown as text: nothing of it is a link, an image or markup. */
export function CardView({ card, runStatus }: { readonly card: Card; readonly runStatus: RunStatus }) {
  switch (card.kind) {
    case "EmailSearchResultsCard":
      return <SearchResults {...card.payload} />;
    case "AttachmentSummaryCard":
      return <Attachments {...card.payload} />;
    case "ExtractedFieldsTable":
      return <Fields {...card.payload} />;
    case "EmailDraftCard":
      return <Draft {...card.payload} />;
    case "CalendarEventsCard":
      return <CalendarEvents {...card.payload} />;
    case "CalendarEventCard":
      return <CalendarEvent {...card.payload} />;
    case "SlackMessagesCard":
      return <SlackMessages {...card.payload} />;
    case "ApprovalCard":
      return <ApprovalView approvalId={card.payload.approvalId} runStatus={runStatus} />;
    case "RunSummaryCard":
      return <Summary {...card.payload} />;
    case "ReconnectCard":
      return (
        <section className="card ask">
          <h3>{texts.cards.reconnect}</h3>
          <p>{card.payload.reason}</p>
          <a className="button" href={`/api/connections/${encodeURIComponent(card.payload.provider)}/connect`}>
            {texts.connectTo(card.payload.provider)}
          </a>
        </section>
      );
    case "UnknownEffectCard":
      return <UnknownEffectView {...card.payload} />;
  }
}

type PayloadOf<K extends Card["kind"]> = Extract<Card, { kind: K }>["payload"];

function SearchResults({ query, matches }: PayloadOf<"EmailSearchResultsCard">) {
  return (
    <section className="card">
      <h3>{texts.cards.found}</h3>
      <p className="quiet">
        <code>{query}</code>
      </p>
      {matches.length === 0 && <p>{texts.cards.foundNone}</p>}
      <ul className="matches">
        {matches.map(({ messageId, from, subject, date, reason }) => (
          <li key={messageId}>
            <strong>{subject}</strong>
            <span>{from}</span>
            <span className="quiet">
              <Time at={date} /> · {reason}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Attachments({ attachments }: PayloadOf<"AttachmentSummaryCard">) {
  return (
    <section className="card">
      <h3>{texts.cards.attachments}</h3>
      <ul>
        {attachments.map(({ attachmentId, filename, mimeType, sizeBytes }) => (
          <li key={attachmentId}>
            {filename} <span className="quiet">{`${mimeType}, ${sizeBytes} bytes`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Fields({ source, fields }: PayloadOf<"ExtractedFieldsTable">) {
  return (
    <section className="card">
      <h3>{texts.cards.fields}</h3>
      <p className="quiet">{source}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.cards.field}</th>
            <th scope="col">{texts.cards.value}</th>
            <th scope="col">{texts.cards.confidence}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ key, value, confidence, ...rest }, index) => {
            const isMissing = "found" in rest && rest.found === false;
            return (
              <tr key={`${index}-${key}`} className={isMissing ? "missing" : undefined}>
                <th scope="row">{key}</th>
                <td>{value}</td>
                <td>{isMissing ? texts.cards.notFound : `${Math.round(confidence * 100)} %`}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function Draft({ to, cc, subject, bodyText }: PayloadOf<"EmailDraftCard">) {
  return (
    <section className="card">
      <h3>{texts.cards.draft}</h3>
      <dl>
        <div>
          <dt>{texts.approval.to}</dt>
          <dd>{to}</dd>
        </div>
        {cc.length > 0 && (
          <div>
            <dt>{texts.approval.cc}</dt>
            <dd>{cc.join(", ")}</dd>
          </div>
        )}
        <div>
          <dt>{texts.approval.subject}</dt>
          <dd>{subject}</dd>
        </div>
      </dl>
      <pre className="mail">{bodyText}</pre>
    </section>
  );
}

function Summary({ outcome, highlights, sentMessageId, reason, failed, nextAction, partialAnswer }: PayloadOf<"RunSummaryCard">) {
  const title = outcome === "succeeded" ? texts.cards.done : outcome === "failed" ? texts.cards.failed : texts.cards.canceled;
  return (
    <section className={`card outcome ${outcome}`}>
      <h3>{title}</h3>
      {reason !== undefined && <p>{reason}</p>}
      <ul>
        {highlights.map((highlight) => (
          <li key={highlight}>{highlight}</li>
        ))}
        {failed?.map((failure) => (
          <li key={failure} className="problem">
            {failure}
          </li>
        ))}
      </ul>
      {sentMessageId !== undefined && (
        <p>
          {texts.cards.sent}: <code>{sentMessageId}</code>
        </p>
      )}
      {partialAnswer !== undefined && <p>{partialAnswer}</p>}
      {nextAction !== undefined && (
        <p>
          <strong>{texts.cards.next}:</strong> {nextAction}
        </p>
      )}
    </section>
  );
}
