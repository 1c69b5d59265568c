import { visible, type CardPayload } from "@bron/protocol";
import { OriginTag } from "../run/origin-tag.tsx";
import { texts } from "../texts.ts";
import { Ago } from "../time.tsx";
import { Panel } from "../ui/panel.tsx";
import { EventSpan } from "./event-span.tsx";

type EventFacts = CardPayload<"CalendarEventsCard">["events"][number];

export function CalendarEvents({ events, timeZone }: CardPayload<"CalendarEventsCard">) {
  return (
    <Panel title={texts.cards.calendar} actions={<OriginTag origin="calendar" />}>
      {events.length === 0 && <p>{texts.cards.calendarNone}</p>}
      <ul className="divide-y divide-edge">
        {events.map((event) => (
          <li
            key={event.eventId}
            className="grid gap-0.5 py-2.5 wrap-anywhere first:pt-0 last:pb-0"
          >
            <EventLine {...event} timeZone={timeZone} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function CalendarEvent({ status, ...event }: CardPayload<"CalendarEventCard">) {
  return (
    <Panel title={status === "cancelled" ? texts.cards.eventDeleted : texts.cards.event}>
      <div className="grid gap-0.5 wrap-anywhere">
        <EventLine {...event} />
      </div>
    </Panel>
  );
}

function EventLine({
  summary,
  start,
  end,
  allDay,
  location,
  guests,
  timeZone,
}: EventFacts & { readonly timeZone?: string }) {
  return (
    <>
      <span className="font-medium">{visible(summary)}</span>
      <span className="text-sm">
        {allDay ? (
          <Days first={start} last={end} />
        ) : (
          <EventSpan start={start} end={end} timeZone={timeZone} />
        )}
      </span>
      <span className="text-sm text-quiet">
        {[location, ...guests].filter(Boolean).map(visible).join(" · ")}
      </span>
    </>
  );
}

/** All-day dates are not converted to the reader's zone. */
function Days({ first, last }: { readonly first: string; readonly last: string }) {
  const words = (day: string) =>
    new Date(`${day}T00:00:00Z`).toLocaleDateString(undefined, {
      dateStyle: "medium",
      timeZone: "UTC",
    });
  return (
    <>{`${first === last ? words(first) : `${words(first)} – ${words(last)}`}, ${texts.cards.allDay}`}</>
  );
}

export function SlackMessages({ channel, messages }: CardPayload<"SlackMessagesCard">) {
  return (
    <Panel
      title={`${texts.cards.slack} ${visible(channel)}`}
      actions={<OriginTag origin="slack" />}
    >
      {messages.length === 0 && <p>{texts.cards.slackNone}</p>}
      <ul className="divide-y divide-edge">
        {messages.map(({ who, at, text, replies }, index) => (
          <li
            key={`${index}-${at}`}
            className="grid gap-0.5 py-2.5 wrap-anywhere first:pt-0 last:pb-0"
          >
            <span>
              <span className="font-medium">{visible(who)}</span>{" "}
              <span className="text-sm text-quiet">
                <Ago at={at} />
                {replies > 0 && ` · ${texts.cards.replies(replies)}`}
              </span>
            </span>
            <span className="whitespace-pre-wrap">{visible(text)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
