import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { SimulatorCalendar, SimulatorMail } from "./sandbox-lists.tsx";

const mails = (count: number) =>
  Array.from({ length: count }, (_, id) => ({
    id: String(id),
    from: "a@x.example",
    to: "b@x.example",
    subject: "Hello",
    date: "2026-11-15T12:00:00Z",
    text: "",
    attachments: [],
    isUnread: false,
  }));

it("X8 a folder says how much is in it, or that only the newest are shown", () => {
  const page = renderToStaticMarkup(
    <SimulatorMail inbox={mails(40)} sent={mails(39)} drafts={[]} />,
  );
  for (const words of ["Inbox (newest 40)", "Sent (39)", "Drafts (0)"])
    expect(page).toContain(words);
});

it("X8 the calendar says which days it shows, also if there is nothing in them", () => {
  const page = renderToStaticMarkup(<SimulatorCalendar events={[]} />);
  for (const words of ["From a week ago to four weeks from now.", "Nothing is here."])
    expect(page).toContain(words);
});
