import type { CalendarWords } from "./calendar-words-shape.ts";

export const germanCalendar: CalendarWords = {
  agenda: (period) => `In deinem Kalender, ${period}:`,
  nothingOn: (period) => `In deinem Kalender steht nichts, ${period}.`,
  noneAbout: (words, period) =>
    `Zu „${words}“ steht nichts in deinem Kalender, ${period}. Dort steht:`,
  more: "Es gibt noch mehr Termine als diese.",
  allDay: "ganztägig",
  day: (day) => day,
  days: (from, to) => `${from} bis ${to}`,
  between: (start, end) => `zwischen ${start} und ${end} Uhr`,
  free: (period) => `Du bist frei, ${period}:`,
  wholeFree: (period) => `Du bist die ganze Zeit frei, ${period}.`,
  noGap: (period) => `Du hast keine solche freie Zeit, ${period}.`,
  freeAt: (when) => `Ja, du bist frei: ${when}.`,
  busyAt: (when) => `Nein, du bist nicht frei: ${when}. Da ist:`,
  allDayToo: (titles) => `Ganztägig, und nicht als belegt gezählt: ${titles}.`,
  gap: (start, end) => `${start} bis ${end} Uhr`,
  found: (title, when) => `„${title}“ ist am ${when}.`,
  notThere: (words, period) =>
    `Zu „${words}“ habe ich nichts in deinem Kalender gefunden, ${period}.`,
  notFound: (words, period) =>
    `Zu „${words}“ habe ich keinen Termin gefunden${period === "" ? "" : `, ${period}`}, und nichts geändert.`,
  which: (words) => `Mehrere Termine passen zu „${words}“. Welchen meinst du?`,
  line: (title, when) => `- ${title}: ${when}`,
  chosen: (title, when) => `Ich habe „${title}“ genommen, ${when}.`,
  oneOfSeries: "Er gehört zu einer Serie; die anderen bleiben, wie sie sind.",
  entered: (title, when) => `Ich habe „${title}“ eingetragen${when === "" ? "" : `: ${when}`}.`,
  changed: (title, when) =>
    `Ich habe den Termin geändert: „${title}“${when === "" ? "" : `, ${when}`}.`,
  guests: (list) => `Gäste: ${list}.`,
  noAddress: (names) =>
    `Für ${names} ist niemand eingeladen: du hast keine Adresse genannt, und ich rate keine.`,
  assumedLength: (minutes) =>
    `Du hast keine Dauer genannt, also habe ich ${minutes} Minuten genommen.`,
  whichDay: "An welchem Tag soll es sein? Ich habe nichts eingetragen.",
  whichTime: "Um wie viel Uhr soll es sein? Ich habe nichts eingetragen und nichts geändert.",
  whichTitle: "Wie soll der Termin heißen? Ich habe nichts eingetragen.",
  severalDays: "Nenne bitte einen Tag. Ich habe nichts eingetragen.",
  nothingEntered: "Es wurde nichts eingetragen.",
  nothingChanged: "Es wurde nichts geändert.",
  noCancel:
    "Absagen oder löschen kann ich Termine nicht: dafür habe ich kein Werkzeug. Verschieben oder umbenennen kann ich sie.",
  noSeries: "Ich kann nur einzelne Termine eintragen, keine Serien, und habe nichts eingetragen.",
  subject: (period) => `Kalender, ${period}`,
};
