import { visible, type CardPayload } from "@bron/protocol";
import { texts } from "../texts.ts";
import { Time } from "../time.tsx";
import { EventSpan } from "./event-span.tsx";

type EventFacts = CardPayload<"CalendarEventsCard">["events"][number];

export function CalendarEvents({ events, timeZone }: CardPayload<"CalendarEventsCard">) {
  return (
    <section className="card">
      <h3>{texts.cards.calendar}</h3>
      {events.length === 0 && <p>{texts.cards.calendarNone}</p>}
      <ul className="matches">
        {events.map((event) => (
          <li key={event.eventId}>
            <EventLine {...event} timeZone={timeZone} />
          </li>
        ))}
      </ul>
    </section>
  );
}

export function CalendarEvent({ status, ...event }: CardPayload<"CalendarEventCard">) {
  return (
    <section className="card">
      <h3>{status === "cancelled" ? texts.cards.eventGone : texts.cards.event}</h3>
      <div className="matches">
        <EventLine {...event} />
      </div>
    </section>
  );
}

function EventLine({ summary, start, end, allDay, location, guests, timeZone }: EventFacts & { readonly timeZone?: string }) {
  return (
    <>
      <strong>{visible(summary)}</strong>
      <span>{allDay ? <Days first={start} last={end} /> : <EventSpan start={start} end={end} timeZone={timeZone} />}</span>
      <span className="quiet">{[location, ...guests].filter(Boolean).map(visible).join(" · ")}</span>
    </>
  );
}

/** A day is the same day wherever it is read. */
function Days({ first, last }: { readonly first: string; readonly last: string }) {
  const words = (day: string) => new Date(`${day}T00:00:00Z`).toLocaleDateString(undefined, { dateStyle: "medium", timeZone: "UTC" });
  return <>{`${first === last ? words(first) : `${words(first)} – ${words(last)}`}, ${texts.cards.allDay}`}</>;
}

export function SlackMessages({ channel, messages }: CardPayload<"SlackMessagesCard">) {
  return (
    <section className="card">
      <h3>{`${texts.cards.slack} ${visible(channel)}`}</h3>
      {messages.length === 0 && <p>{texts.cards.slackNone}</p>}
      <ul className="matches">
        {messages.map(({ who, at, text, replies }, index) => (
          <li key={`${index}-${at}`}>
            <span>
              <strong>{visible(who)}</strong>{" "}
              <span className="quiet">
                <Time at={at} />
                {replies > 0 && ` · ${texts.cards.replies(replies)}`}
              </span>
            </span>
            <span>{visible(text)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
