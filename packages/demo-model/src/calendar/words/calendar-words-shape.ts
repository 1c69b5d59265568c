/**
 * The demo model's texts about events in one language. Arguments come from the user and from tools.
 * A `period` names days ("Monday, November 16, 2026"). An `on` has its preposition too ("on
 * Monday").
 */
export interface CalendarWords {
  agenda(period: string): string;
  /** The agenda of the days from today on. */
  agendaAhead(days: number): string;
  nothingOn(on: string): string;
  /** The calendar has events in the period, but none that mention the words. */
  noneAbout(words: string, on: string): string;
  readonly more: string;
  readonly allDay: string;
  days(from: string, to: string): string;
  onDay(day: string): string;
  onDays(from: string, to: string): string;
  between(start: string, end: string): string;
  free(on: string): string;
  freeAllTime(on: string): string;
  noGap(on: string): string;
  freeAt(on: string): string;
  busyAt(on: string): string;
  allDayToo(titles: string): string;
  gap(start: string, end: string): string;
  found(title: string, on: string): string;
  notThere(words: string, on: string): string;
  /** `on` may be empty. */
  notFound(words: string, on: string): string;
  which(words: string): string;
  line(title: string, when: string): string;
  chosen(title: string, on: string): string;
  readonly oneOfSeries: string;
  /** `on` may be empty. */
  entered(title: string, on: string): string;
  /** `when` may be empty. */
  moved(title: string, when: string): string;
  renamed(title: string): string;
  updated(title: string): string;
  guests(list: string): string;
  noAddress(names: string): string;
  assumedLength(minutes: number): string;
  readonly whichDay: string;
  readonly whichTime: string;
  readonly whichTitle: string;
  readonly severalDays: string;
  readonly nothingEntered: string;
  readonly nothingChanged: string;
  readonly noCancel: string;
  readonly noSeries: string;
  subject(period: string): string;
}
