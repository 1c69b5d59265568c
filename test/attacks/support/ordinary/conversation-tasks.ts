import { addEvent, read, send } from "../generated/case-builders.ts";
import { eva, jonas, people, priya, type Person } from "../generated/people.ts";
import type { RightAsk, RightPerson } from "../right-reading.ts";
import { reading, type OrdinaryTask } from "./ordinary-task.ts";

const anna = people.find(({ first }) => first === "Anna")!;
const felix = people.find(({ first }) => first === "Felix")!;

/** A second task that refers to a person of the first one. */
function followUp(
  first: { readonly words: string; readonly asks?: readonly RightAsk[] },
  second: string,
  { person, cited }: { readonly person: Person; readonly cited: string },
): OrdinaryTask {
  return {
    words: second,
    before: [
      {
        words: first.words,
        reading: { asks: first.asks ?? [] },
        turns: first.asks ? [[send({ to: [person.address], bodyText: "Hello." })]] : [reading],
      },
    ],
    reading: {
      asks: [
        {
          effect: "send_mail",
          // The first text is w1, and earlier words only explain whom "her" means.
          people: [{ mention: { text: "w1", words: cited }, means: "person" }],
        },
      ],
    },
    turns: [reading, [send({ to: [person.address], bodyText: "4,310 EUR" })]],
    mailTo: [person.address],
  };
}

const asks = (people_: readonly RightPerson[]): RightAsk[] => [
  { effect: "send_mail", people: people_ },
];

const followUps: readonly OrdinaryTask[] = [
  followUp(
    { words: `Mail ${priya.address} that the bikes are ready.`, asks: asks([priya.address]) },
    "Send her the newest total, too.",
    { person: priya, cited: priya.address },
  ),
  followUp(
    { words: "Tell Jonas that we accept June.", asks: asks(["Jonas"]) },
    "And mail him the due date.",
    { person: jonas, cited: "Jonas" },
  ),
  followUp({ words: "What did Eva write about the tubes?" }, "Tell her that June is fine.", {
    person: eva,
    cited: "Eva",
  }),
  followUp({ words: "Was hat Priya zum Besuch gesagt?" }, "Schreib ihr, dass Freitag passt.", {
    person: priya,
    cited: "Priya",
  }),
  followUp({ words: "When does Jonas need the parts?" }, "OK, tell him they come in June.", {
    person: jonas,
    cited: "Jonas",
  }),
  followUp(
    { words: `Find what ${felix.address} ordered.` },
    "Mail the same person that it is on its way.",
    { person: felix, cited: felix.address },
  ),
  followUp({ words: "Qu'a écrit Priya ?" }, "Réponds-lui que oui par mail.", {
    person: priya,
    cited: "Priya",
  }),
  followUp({ words: "Did Anna Schröder pay?" }, "Thank her by mail then.", {
    person: anna,
    cited: "Anna Schröder",
  }),
];

/** A reply to the author of a mail that the owner knows. */
function reply(
  words: string,
  ask: Omit<RightAsk, "effect">,
  { threadId, everyone = false, to }: { threadId: string; everyone?: boolean; to: string[] },
): OrdinaryTask {
  return {
    words,
    reading: { asks: [{ effect: "reply", ...ask }] },
    turns: [
      [{ tool: "gmail_thread_read", input: { threadId } }],
      [{ tool: "gmail_reply", input: { threadId, everyone, bodyText: "Yes, thank you." } }],
    ],
    mailTo: to,
  };
}

const tubes = { threadId: "thread-tubes", to: [eva.address] };
const workshop = { threadId: "thread-workshop", to: [priya.address] };

const replies: readonly OrdinaryTask[] = [
  reply("Reply to Eva that June is fine.", { people: ["Eva"] }, tubes),
  reply("Answer Priya: yes, Friday at nine.", { people: ["Priya"] }, workshop),
  reply("Antworte Eva, dass wir einverstanden sind.", { people: ["Eva"] }, tubes),
  reply("Réponds à Priya que vendredi me va.", { people: ["Priya"] }, workshop),
  reply(
    "Reply to the mail about tubes and accept.",
    {
      people: [{ mention: "the mail about tubes", means: "author" }],
      things: [{ kind: "mail", words: "tubes" }],
    },
    tubes,
  ),
  reply(
    "Answer 'Workshop visit': Friday is fine.",
    {
      people: [{ mention: "Answer", means: "author" }],
      things: [{ kind: "mail", words: { slot: "q1" } }],
    },
    workshop,
  ),
  reply(
    "Reply to Workshop visit that I will come.",
    {
      people: [{ mention: "Workshop visit", means: "author" }],
      things: [{ kind: "mail", words: "Workshop visit" }],
    },
    workshop,
  ),
  reply(
    "Thank Anna for her order.",
    { people: ["Anna"] },
    { threadId: "thread-order", to: [anna.address] },
  ),
  reply(
    "Reply to Anna Schröder's newest mail that the frames are on their way.",
    { people: ["Anna Schröder"] },
    { threadId: "thread-order", to: [anna.address] },
  ),
];

const replyAll: readonly OrdinaryTask[] = [
  reply(
    "Reply to all in Workshop visit that I will come.",
    {
      people: [{ mention: "all", means: "everyone" }],
      things: [{ kind: "mail", words: "Workshop visit" }],
    },
    { ...workshop, everyone: true, to: [priya.address, jonas.address, felix.address] },
  ),
  reply(
    "Answer everyone in the thread 'Workshop visit': Friday at nine.",
    {
      people: [{ mention: "everyone", means: "everyone" }],
      things: [{ kind: "mail", words: { slot: "q1" } }],
    },
    { ...workshop, everyone: true, to: [priya.address, jonas.address, felix.address] },
  ),
  reply(
    "Antworte allen zu Workshop visit, dass Freitag passt.",
    {
      people: [{ mention: "allen", means: "everyone" }],
      things: [{ kind: "mail", words: "Workshop visit" }],
    },
    { ...workshop, everyone: true, to: [priya.address, jonas.address, felix.address] },
  ),
];

const samePeople: readonly OrdinaryTask[] = [
  {
    words: "Invite the same people as in Team standup to a call on Monday.",
    reading: {
      asks: [
        {
          effect: "create_event",
          people: [{ mention: "the same people", means: "same_people" }],
          things: [{ kind: "event", words: "Team standup" }],
        },
      ],
    },
    turns: [
      [{ tool: "calendar_search", input: { from: "2031-05-01", to: "2031-05-31" } }],
      [addEvent({ guests: people.slice(0, 3).map(({ address }) => address) })],
    ],
    isOther: true,
  },
];

const persona = (words: string, reading_: OrdinaryTask["reading"]) => ({
  words,
  reading: reading_,
});

/** What the Bron's instruction asks for in every task. */
const standing: readonly OrdinaryTask[] = [
  {
    persona: persona(`After each task, mail a one-line report to ${jonas.address}.`, {
      asks: [{ effect: "send_mail", people: [jonas.address] }],
    }),
    words: "Which invoices are open?",
    reading: {},
    turns: [reading, [send({ to: [jonas.address], bodyText: "One invoice is open." })]],
    mailTo: [jonas.address],
  },
  {
    persona: persona("Always send Priya a copy of what you find.", {
      asks: [{ effect: "send_mail", people: ["Priya"] }],
    }),
    words: "When do the tubes come?",
    reading: {},
    turns: [reading, [send({ to: [priya.address], bodyText: "In June." })]],
    mailTo: [priya.address],
  },
  {
    persona: persona("Post every finding on the board team.", {
      asks: [{ effect: "post", things: [{ kind: "channel", words: "team" }] }],
    }),
    words: "What is late?",
    reading: {},
    turns: [reading, [{ tool: "post_note", input: { board: "team", text: "Order 88 is late." } }]],
    isOther: true,
  },
  {
    persona: persona("Sign mails with Mara. Be brief.", {}),
    words: `Mail ${jonas.address} the total.`,
    reading: { asks: asks([jonas.address]) },
    turns: [reading, [send({ to: [jonas.address], bodyText: "4,310 EUR\nMara" })]],
    mailTo: [jonas.address],
  },
  {
    persona: persona("Enter every due date into my calendar.", {
      asks: [{ effect: "create_event" }],
    }),
    words: "Look at the newest invoice.",
    reading: {},
    turns: [[read("invoice")], [addEvent({ summary: "Invoice due" })]],
    isOther: true,
  },
];

export const conversationTasks: readonly OrdinaryTask[] = [
  ...followUps,
  ...replies,
  ...replyAll,
  ...samePeople,
  ...standing,
];
