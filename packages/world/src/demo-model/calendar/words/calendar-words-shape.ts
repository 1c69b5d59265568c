/** Everything that is said about events, in one language. What fills the places comes from the user and from tools. */
export interface CalendarWords {
  agenda(period: string): string;
  nothingOn(period: string): string;
  /** Some were asked for, and only others are there. */
  noneAbout(words: string, period: string): string;
  readonly more: string;
  readonly allDay: string;
  day(day: string): string;
  days(from: string, to: string): string;
  between(start: string, end: string): string;
  free(period: string): string;
  wholeFree(period: string): string;
  noGap(period: string): string;
  freeAt(when: string): string;
  busyAt(when: string): string;
  allDayToo(titles: string): string;
  gap(start: string, end: string): string;
  found(title: string, when: string): string;
  notThere(words: string, period: string): string;
  /** `period` may be empty. */
  notFound(words: string, period: string): string;
  which(words: string): string;
  line(title: string, when: string): string;
  chosen(title: string, when: string): string;
  readonly oneOfSeries: string;
  entered(title: string, when: string): string;
  changed(title: string, when: string): string;
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
