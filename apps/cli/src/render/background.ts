import { visible, type ApprovalBackground } from "@bron/protocol";

/** The email that is answered, or what else the calendar has that day. Others wrote most of it. */
export function describeBackground(background: ApprovalBackground | null): string[] {
  if (background === null) return [];
  if (background.kind === "answered_email") {
    const { from, date, subject, text, isShortened } = background;
    return [
      "",
      `In reply to ${visible(from)}, ${visible(date)}: ${visible(subject)}`,
      `  > ${visible(text).replaceAll("\n", "\n  > ")}${isShortened ? " …" : ""}`,
    ];
  }
  const { events, nextFree, timeZone } = background;
  const clock = (time: string) => /T(\d{2}:\d{2})/.exec(time)?.[1] ?? "all day";
  const span = (start: string, end: string) =>
    start.includes("T") ? `${clock(start)}-${clock(end)}` : "all day";
  return [
    "",
    events.length === 0
      ? `Nothing else in your calendar that day (${visible(timeZone)}).`
      : `Your calendar that day (${visible(timeZone)}):`,
    ...events.map(
      ({ title, start, end, clashes }) =>
        `  ${span(start, end)}  ${visible(title)}${clashes ? "  ! overlaps" : ""}`,
    ),
    ...(nextFree ? [`Next free: ${span(nextFree.start, nextFree.end)}`] : []),
  ];
}
