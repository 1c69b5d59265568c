import type { CalendarWords } from "./calendar-words-shape.ts";

export const frenchCalendar: CalendarWords = {
  agenda: (period) => `Votre agenda, ${period} :`,
  agendaAhead: (days) => `Vos ${days} prochains jours :`,
  nothingOn: (on) => `Il n'y a rien dans votre agenda ${on}.`,
  noneAbout: (words, on) =>
    `Rien dans votre agenda ${on} ne mentionne « ${words} ». Voici ce qui y figure :`,
  more: "Il y a d'autres événements que ceux-ci.",
  allDay: "toute la journée",
  days: (from, to) => `${from} au ${to}`,
  onDay: (day) => `le ${day}`,
  onDays: (from, to) => `du ${from} au ${to}`,
  between: (start, end) => `entre ${start} et ${end}`,
  free: (on) => `Vous êtes libre ${on} :`,
  freeAllTime: (on) => `Vous êtes libre tout le temps ${on}.`,
  noGap: (on) => `Aucun créneau libre ${on}.`,
  freeAt: (on) => `Vous êtes libre ${on}.`,
  busyAt: (on) => `Vous êtes occupé ${on} :`,
  allDayToo: (titles) => `Événements sur toute la journée, non comptés comme occupés : ${titles}.`,
  gap: (start, end) => `${start} à ${end}`,
  found: (title, on) => `« ${title} » a lieu ${on}.`,
  notThere: (words, on) => `Je n'ai pas trouvé « ${words} » dans votre agenda ${on}.`,
  notFound: (words, on) =>
    `Je n'ai trouvé aucun événement pour « ${words} »${on === "" ? "" : ` ${on}`}, je n'ai donc rien modifié.`,
  which: (words) =>
    `Plusieurs événements correspondent à « ${words} ». De quel événement parlez-vous ?`,
  line: (title, when) => `- ${title} : ${when}`,
  chosen: (title, on) => `Il s'agit de « ${title} » ${on}.`,
  oneOfSeries: "Seule cette occurrence change.",
  entered: (title, on) => `J'ai ajouté « ${title} »${on === "" ? "" : ` ${on}`}.`,
  moved: (title, when) => `J'ai déplacé « ${title} »${when === "" ? "" : ` : ${when}`}.`,
  renamed: (title) => `J'ai renommé l'événement en « ${title} ».`,
  updated: (title) => `J'ai modifié « ${title} ».`,
  guests: (list) => `Invités : ${list}.`,
  noAddress: (names) => `Je n'ai pas invité ${names}, car je n'ai pas d'adresse e-mail.`,
  assumedLength: (minutes) => `J'ai supposé une durée de ${minutes} minutes.`,
  whichDay: "Quel jour ? Je n'ai rien ajouté.",
  whichTime: "À quelle heure ? Je n'ai rien ajouté ni modifié.",
  whichTitle: "Comment l'événement doit-il s'appeler ? Je n'ai rien ajouté.",
  severalDays: "Donnez un seul jour, s'il vous plaît. Je n'ai rien ajouté.",
  nothingEntered: "Rien n'a été ajouté.",
  nothingChanged: "Rien n'a été modifié.",
  noCancel:
    "Je ne peux pas encore supprimer d'événements, mais je peux les déplacer ou les renommer.",
  noSeries:
    "Je ne peux ajouter que des événements isolés, pas de séries ; je n'ai donc rien ajouté.",
  subject: (period) => `Agenda, ${period}`,
};
