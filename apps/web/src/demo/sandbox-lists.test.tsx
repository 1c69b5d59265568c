import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { SandboxCalendar, SandboxMail } from "./sandbox-lists.tsx";

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

it("X8 shows the size of a folder, or that only the newest messages are shown", () => {
  const page = renderToStaticMarkup(<SandboxMail inbox={mails(40)} sent={mails(39)} drafts={[]} />);
  for (const words of ["Inbox (newest 40)", "Sent (39)", "Drafts (0)"])
    expect(page).toContain(words);
});

it("X8 names the days of the calendar, even when it is empty", () => {
  const page = renderToStaticMarkup(<SandboxCalendar events={[]} />);
  for (const words of ["Last week to the next 4 weeks", "Empty"]) expect(page).toContain(words);
});
