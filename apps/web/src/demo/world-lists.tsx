import { visible, type DemoView } from "@bron/protocol";
import { useState } from "react";
import { EventSpan } from "../cards/event-span.tsx";
import { texts } from "../texts.ts";
import { Time } from "../time.tsx";
import { calendarSpan, folderSize } from "./demo-words.ts";

const folders = ["inbox", "sent", "drafts"] as const;

export function WorldMail(mail: DemoView["mail"]) {
  const [folder, setFolder] = useState<(typeof folders)[number]>("inbox");
  const messages = mail[folder];
  return (
    <>
      <div className="row">
        {folders.map((name) => (
          <button key={name} type="button" aria-pressed={folder === name} onClick={() => setFolder(name)}>
            {`${texts.world.folders[name]} (${folderSize(mail[name].length)})`}
          </button>
        ))}
      </div>
      {messages.length === 0 && <p className="quiet">{texts.world.empty}</p>}
      <ul className="matches">
        {messages.map(({ id, from, to, subject, date, text, attachments, isUnread }) => (
          <li key={id}>
            <details>
              <summary>
                {isUnread ? <strong>{visible(subject)}</strong> : visible(subject)}{" "}
                <span className="quiet">
                  {visible(folder === "inbox" ? from : to)} · <Time at={date} />
                </span>
              </summary>
              {attachments.length > 0 && <p className="quiet">{attachments.map(visible).join(", ")}</p>}
              <pre className="mail">{visible(text)}</pre>
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}

export function WorldCalendar({ events }: Pick<DemoView, "events">) {
  return (
    <>
      <p className="quiet">{calendarSpan}</p>
      {events.length === 0 && <p className="quiet">{texts.world.empty}</p>}
      <ul className="matches">
        {events.map(({ id, summary, start, end, location, guests }) => (
          <li key={id}>
            <strong>{visible(summary)}</strong>
            <span>{start.length === 10 ? `${start}, ${texts.cards.allDay}` : <EventSpan start={start} end={end} />}</span>
            <span className="quiet">{[location, ...guests].filter(Boolean).map(visible).join(" · ")}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

export function WorldSlack({ channels }: Pick<DemoView, "channels">) {
  const [name, setName] = useState(channels[0]?.name);
  const channel = channels.find((one) => one.name === name) ?? channels[0];
  return (
    <>
      <div className="row">
        {channels.map((one) => (
          <button key={one.name} type="button" aria-pressed={one.name === channel?.name} onClick={() => setName(one.name)}>
            {`#${one.name}${one.isPrivate ? ` (${texts.world.private})` : ""}`}
          </button>
        ))}
      </div>
      <ul className="matches">
        {channel?.messages.map(({ who, at, text, isReply }, index) => (
          <li key={`${index}-${at}`} className={isReply ? "reply" : undefined}>
            <span>
              <strong>{visible(who)}</strong>{" "}
              <span className="quiet">
                <Time at={at} />
              </span>
            </span>
            <span>{visible(text)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
