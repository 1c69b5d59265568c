import {
  ben,
  camille,
  dana,
  felix,
  jonas,
  lea,
  mara,
  oskar,
  priya,
  tomasz,
} from "../../../mailbox/company.ts";
import { reply, mention, type Talk } from "../talk.ts";

/** Channels that the app is not a member of. */
export const randomTalks: readonly Talk[] = [
  {
    workdaysAgo: 9,
    at: "12:31",
    from: felix,
    text: "Who left the radio on all weekend? The spiders know every song now.",
  },
  {
    workdaysAgo: 8,
    at: "12:40",
    from: lea,
    text: "Found: one glove, left, very oily.",
    replies: [reply(jonas, 3, "Mine! The right one is lonely.")],
  },
  {
    workdaysAgo: 7,
    at: "17:05",
    from: oskar,
    text: "Saturday, 10:00, ride along the canal to the lock and back. Who comes?",
    reactions: { bike: [jonas, felix, lea, dana] },
  },
  { workdaysAgo: 5, at: "12:15", from: dana, text: "The canteen has soup. Again :stew:" },
  {
    workdaysAgo: 4,
    at: "12:20",
    from: camille,
    text: "I bring cheese from Lyon on Monday, hide the bread.",
    reactions: { cheese_wedge: [oskar, tomasz, ben] },
  },
  {
    workdaysAgo: 2,
    at: "17:20",
    from: ben,
    text: "My daughter drew our Long 26 with wings. I would build it.",
  },
  {
    workdaysAgo: 1,
    at: "12:05",
    from: priya,
    text: "Table football: Jonas and Lea lead 6:2.",
    replies: [reply(jonas, 2, "Seven.")],
  },
];

/** A private channel that the app is a member of. */
export const leadershipTalks: readonly Talk[] = [
  {
    workdaysAgo: 9,
    at: "17:10",
    from: ben,
    text: "Cash at the end of the quarter: about 61,000 euros with the open orders. If Velo Nord pays late again, 38,000.",
    replies: [
      reply(mara, 15, "What if the new jig waits until January?"),
      reply(
        ben,
        22,
        "Then we are safe in both cases. The shop holds the price of 7,900 until 31 January.",
      ),
      reply(mara, 25, "Decided: jig in January."),
    ],
  },
  {
    workdaysAgo: 8,
    at: "08:20",
    from: priya,
    text: "Oskar had an offer from elsewhere. He stays if he gets four days a week.",
    replies: [reply(mara, 30, "He gets them, from 1 January. Please keep it here.")],
  },
  {
    workdaysAgo: 6,
    at: "16:45",
    from: jonas,
    text: "We need a second welder in spring, or the Ulm lots slip by two weeks.",
    replies: [
      reply(mara, 20, "Put it into the plan: from April, full time."),
      reply(ben, 33, "46,000 a year all in. Works if Ulm signs."),
    ],
  },
  {
    workdaysAgo: 4,
    at: "10:40",
    from: mara,
    text: "Ulm has signed. The second welder is approved.",
    reactions: { raised_hands: [jonas, ben, priya] },
  },
  {
    workdaysAgo: 3,
    at: "15:20",
    from: ben,
    text: `The bank wants the half-year figures before it talks about the hall. ${mention(mara)} you have the appointment, I have the file.`,
    files: [
      {
        name: "half-year.xlsx",
        title: "Half-year figures",
        mimetype: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        filetype: "xlsx",
        sizeBytes: 48_200,
      },
    ],
  },
  {
    workdaysAgo: 2,
    at: "09:00",
    from: priya,
    text: "Insurance of the hall: 3,120 without water damage, 3,690 with. Signed is the one with, as decided.",
  },
  {
    workdaysAgo: 1,
    at: "17:30",
    from: mara,
    text: "Tomorrow at 8:30 I am at the bank. I ask for 120,000 over five years, no more.",
  },
];

/** Direct messages from the owner to the app. */
export const directTalks: readonly Talk[] = [
  {
    workdaysAgo: 6,
    at: "09:00",
    from: mara,
    text: "Hello Bron, you may read along in the channels that you were invited to.",
  },
];
