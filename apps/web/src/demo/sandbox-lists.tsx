import { visible, type DemoView } from "@bron/protocol";
import { useState } from "react";
import { EventSpan } from "../cards/event-span.tsx";
import { texts } from "../texts.ts";
import { Ago } from "../time.tsx";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Empty } from "../ui/states.tsx";

const folders = ["inbox", "sent", "drafts"] as const;
/** The most messages that the simulator returns for a folder. */
const maxMessages = 40;

export const listClass =
  "divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-surface";

/** A button that selects one of several lists. */
function ListButton({
  name,
  isChosen,
  onChoose,
}: {
  readonly name: string;
  readonly isChosen: boolean;
  onChoose(): void;
}) {
  return (
    <Button kind={isChosen ? "chosen" : "plain"} aria-pressed={isChosen} onClick={onChoose}>
      {name}
    </Button>
  );
}

export function SandboxMail(mail: DemoView["mail"]) {
  const [folder, setFolder] = useState<(typeof folders)[number]>("inbox");
  const messages = mail[folder];
  return (
    <>
      <div className="mb-4 flex flex-wrap gap-2">
        {folders.map((name) => (
          <ListButton
            key={name}
            name={texts.sandbox.folderSize(
              texts.sandbox.folders[name],
              mail[name].length,
              maxMessages,
            )}
            isChosen={folder === name}
            onChoose={() => setFolder(name)}
          />
        ))}
      </div>
      {messages.length === 0 && <Empty title={texts.sandbox.empty} />}
      {messages.length > 0 && (
        <ul className={listClass}>
          {messages.map(({ id, from, to, subject, date, text, attachments, isUnread }) => (
            <li key={id}>
              <details>
                <summary className="cursor-pointer px-4 py-3">
                  <span className={cx(isUnread && "font-semibold")}>{visible(subject)}</span>{" "}
                  <span className="text-sm text-quiet">
                    {visible(folder === "inbox" ? from : to)} · <Ago at={date} />
                  </span>
                </summary>
                <div className="px-4 pb-4">
                  {attachments.length > 0 && (
                    <p className="mb-2 text-sm text-quiet">{attachments.map(visible).join(", ")}</p>
                  )}
                  <p className="rounded-lg bg-raised p-3 text-sm whitespace-pre-wrap">
                    {visible(text)}
                  </p>
                </div>
              </details>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export function SandboxCalendar({ events }: Pick<DemoView, "events">) {
  return (
    <>
      <p className="mb-4 text-sm text-quiet">{texts.sandbox.calendarSpan}</p>
      {events.length === 0 && <Empty title={texts.sandbox.empty} />}
      {events.length > 0 && (
        <ul className={listClass}>
          {events.map(({ id, summary, start, end, location, guests }) => (
            <li key={id} className="px-4 py-3">
              <p className="font-medium">{visible(summary)}</p>
              <p className="text-sm">
                {start.length === 10 ? (
                  `${start}, ${texts.cards.allDay}`
                ) : (
                  <EventSpan start={start} end={end} />
                )}
              </p>
              <p className="text-sm text-quiet">
                {[location, ...guests].filter(Boolean).map(visible).join(" · ")}
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export function SandboxSlack({ channels }: Pick<DemoView, "channels">) {
  const [name, setName] = useState(channels[0]?.name);
  const channel = channels.find((candidate) => candidate.name === name) ?? channels[0];
  return (
    <>
      <div className="mb-4 flex flex-wrap gap-2">
        {channels.map((option) => (
          <ListButton
            key={option.name}
            name={`${option.name.startsWith("@") ? "" : "#"}${option.name}${option.isPrivate ? ` (${texts.sandbox.private})` : ""}`}
            isChosen={option.name === channel?.name}
            onChoose={() => setName(option.name)}
          />
        ))}
      </div>
      <ul className={listClass}>
        {channel?.messages.map(({ who, at, text, isReply }, index) => (
          <li key={`${index}-${at}`} className={cx("py-3 pr-4", isReply ? "pl-10" : "pl-4")}>
            <p>
              <strong className="font-medium">{visible(who)}</strong>{" "}
              <span className="text-sm text-quiet">
                <Ago at={at} />
              </span>
            </p>
            <p className="text-sm whitespace-pre-wrap">{visible(text)}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
