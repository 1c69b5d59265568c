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
import { reply, mention, channelLink, type Talk } from "../talk.ts";

export const generalTalks: readonly Talk[] = [
  {
    workdaysAgo: 9,
    at: "08:31",
    from: priya,
    text: "<!here> good morning! The fire drill is on Thursday at 11:00. Everybody out through the gate at the canal, please, also the people in the office.",
  },
  {
    workdaysAgo: 9,
    at: "08:44",
    from: oskar,
    text: "Last time three of us stood at the wrong gate :sweat_smile:",
    reactions: { joy: [jonas, dana, felix] },
  },
  {
    workdaysAgo: 9,
    at: "14:05",
    from: lea,
    text: `The stand for Eurobike is booked: version B, with the meeting room. ${mention(camille)} it gets a real door.`,
    replies: [
      reply(camille, 12, "Merci! The French dealers will sit down for once."),
      reply(
        mara,
        30,
        "And it stays at B, no more changes. The door is 240 euros, that is decided.",
      ),
    ],
  },
  {
    workdaysAgo: 8,
    at: "09:02",
    from: mara,
    text: `Reminder: from 1 February prices go up by 1.9 percent on bikes and 4 percent on accessories. ${mention(ben)} has the table. Please do not quote the old ones for deliveries after January.`,
    isEdited: true,
    reactions: { "+1": [camille, ben, dana, lea] },
  },
  {
    workdaysAgo: 8,
    at: "12:10",
    from: felix,
    text: "Lunch truck is here, it is dumplings :dumpling:",
  },
  {
    workdaysAgo: 7,
    at: "10:20",
    from: priya,
    text: "The heating in the office is being serviced today between 13:00 and 15:00. Bring a jumper.",
    replies: [
      reply(lea, 4, "I am working from home then."),
      reply(ben, 9, "The numbers are cold anyway.", { reactions: { joy: [priya, lea] } }),
    ],
  },
  {
    workdaysAgo: 6,
    at: "09:15",
    from: jonas,
    text: "Nele and Samir both built a true wheel on their trial day. Nele starts as apprentice on 1 September, Samir gets an internship in spring.",
    reactions: { tada: [mara, priya, oskar, tomasz, dana] },
    replies: [
      reply(mara, 15, "Very good. Thank you for taking the time, Jonas."),
      reply(priya, 40, "Contracts go out tomorrow."),
    ],
  },
  {
    workdaysAgo: 5,
    at: "08:50",
    from: priya,
    text: "Urlaub: please enter your days for December until Friday. Between the years the workshop is closed, Ben has emergency duty on the 22nd and 23rd.",
    replies: [
      reply(dana, 25, "Who takes customer calls on the 29th?"),
      reply(priya, 31, "Nobody, the answering machine does. I record a new text."),
    ],
  },
  {
    workdaysAgo: 5,
    at: "16:20",
    from: "Doorbell",
    text: "Movement at the back door at 23:14. Nobody answered.",
  },
  {
    workdaysAgo: 4,
    at: "11:05",
    from: dana,
    text: `Does somebody still have the second key of the server room? ${mention(priya)}?`,
    replies: [reply(priya, 3, "Back on the board since this morning.")],
  },
  {
    workdaysAgo: 3,
    at: "09:30",
    from: lea,
    text: "New pictures by Ingrid Fjell are on the drive, all in the rain as ordered. <https://drive.lindqvist.example/photos/rain|Here is the folder>. The one with the blue box goes on the front page.",
    reactions: { heart: [mara, camille, jonas], rain_cloud: [oskar] },
  },
  {
    workdaysAgo: 2,
    at: "13:40",
    from: jonas,
    text: `The technical college comes on Friday at 14:00, about twenty people. ${mention(priya)} leads the tour, I do the welding bay.`,
    replies: [
      reply(oskar, 8, "I can answer questions about the frame if I am done by 15:00."),
      reply(mara, 22, "I say hello at the beginning. Please no loose cables in the bay."),
    ],
  },
  {
    workdaysAgo: 1,
    at: "08:40",
    from: tomasz,
    text: `The insurance for the new hall is signed, with water damage. 3,690 a year. Details in ${channelLink("leadership")}.`,
  },
  {
    workdaysAgo: 1,
    at: "15:55",
    from: priya,
    text: "Cake in the kitchen. It is Felix' birthday and he tried to hide it.",
    reactions: { birthday: [mara, jonas, ben, lea, dana, oskar, tomasz, camille] },
    replies: [reply(felix, 6, "Traitors. Thank you!")],
  },
  {
    workdaysAgo: 0,
    at: "08:12",
    from: mara,
    text: "Good morning. I am with the bank until 10:00, after that in the office all day.",
  },
  {
    workdaysAgo: 0,
    at: "08:30",
    from: felix,
    text: "Gate 2 sticks again, use gate 1 for deliveries until the locksmith was here.",
  },
];
