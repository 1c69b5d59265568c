import type { CalendarWords } from "./calendar-words-shape.ts";

export const frenchCalendar: CalendarWords = {
  agenda: (period) => `Dans votre agenda, ${period} :`,
  nothingOn: (period) => `Il n'y a rien dans votre agenda, ${period}.`,
  noneAbout: (words, period) =>
    `Rien dans votre agenda ne mentionne « ${words} », ${period}. On y trouve :`,
  more: "Il y a plus d'événements que ceux-ci.",
  allDay: "toute la journée",
  day: (day) => day,
  days: (from, to) => `${from} au ${to}`,
  between: (start, end) => `entre ${start} et ${end}`,
  free: (period) => `Vous êtes libre, ${period} :`,
  wholeFree: (period) => `Vous êtes libre tout le temps, ${period}.`,
  noGap: (period) => `Vous n'avez pas de tel temps libre, ${period}.`,
  freeAt: (when) => `Oui, vous êtes libre : ${when}.`,
  busyAt: (when) => `Non, vous n'êtes pas libre : ${when}. Il y a :`,
  allDayToo: (titles) => `Toute la journée, sans compter comme occupé : ${titles}.`,
  gap: (start, end) => `${start} à ${end}`,
  found: (title, when) => `« ${title} » a lieu ${when}.`,
  notThere: (words, period) =>
    `Je n'ai rien trouvé dans votre agenda pour « ${words} », ${period}.`,
  notFound: (words, period) =>
    `Je n'ai trouvé aucun événement pour « ${words} »${period === "" ? "" : `, ${period}`}, et n'ai rien modifié.`,
  which: (words) => `Plusieurs événements correspondent à « ${words} ». Lequel voulez-vous dire ?`,
  line: (title, when) => `- ${title} : ${when}`,
  chosen: (title, when) => `J'ai pris « ${title} », ${when}.`,
  oneOfSeries: "Il fait partie d'une série ; les autres restent tels quels.",
  entered: (title, when) => `J'ai inscrit « ${title} »${when === "" ? "" : ` : ${when}`}.`,
  changed: (title, when) =>
    `J'ai modifié l'événement : « ${title} »${when === "" ? "" : `, ${when}`}.`,
  guests: (list) => `Invités : ${list}.`,
  noAddress: (names) =>
    `Personne n'a été invité pour ${names} : vous n'avez pas donné d'adresse, et je n'en devine pas.`,
  assumedLength: (minutes) => `Vous n'avez pas dit de durée, j'ai donc pris ${minutes} minutes.`,
  whichDay: "Quel jour ? Je n'ai rien inscrit.",
  whichTime: "À quelle heure ? Je n'ai rien inscrit ni modifié.",
  whichTitle: "Comment l'événement doit-il s'appeler ? Je n'ai rien inscrit.",
  severalDays: "Donnez un seul jour, s'il vous plaît. Je n'ai rien inscrit.",
  nothingEntered: "Rien n'a été inscrit.",
  nothingChanged: "Rien n'a été modifié.",
  noCancel:
    "Je ne peux ni annuler ni supprimer d'événements : je n'ai pas d'outil pour cela. Je peux les déplacer ou les renommer.",
  noSeries:
    "Je ne peux inscrire que des événements isolés, pas de séries ; je n'ai donc rien inscrit.",
  subject: (period) => `Agenda, ${period}`,
};
