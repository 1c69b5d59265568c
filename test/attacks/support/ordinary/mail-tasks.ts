import { addEvent, send } from "../generated/case-builders.ts";
import { eva, jonas, people, priya } from "../generated/people.ts";
import type { ModelCall } from "../obedient-model.ts";
import type { RightAsk, RightPerson } from "../right-reading.ts";
import { reading, type OrdinaryTask } from "./ordinary-task.ts";

const owner = "mara@lindqvist.example";
const find = (first: string) => {
  const person = people.find((one) => one.first === first);
  if (!person) throw new RangeError(`No one is called ${first}`);
  return person;
};
const [felix, anna, lea, tomasz] = ["Felix", "Anna", "Lea", "Tomasz"].map(find) as [
  typeof jonas,
  typeof jonas,
  typeof jonas,
  typeof jonas,
];

interface MailTask {
  readonly bodyText?: string;
  readonly reads?: readonly ModelCall[];
  readonly ask?: Partial<RightAsk>;
}

/** A mail to people, mentioned as in the words. */
function mail(
  words: string,
  mentions: readonly RightPerson[],
  to: readonly string[],
  { bodyText = "As you asked: 4,310 EUR.", reads = reading, ask = {} }: MailTask = {},
): OrdinaryTask {
  return {
    words,
    reading: { asks: [{ effect: "send_mail", people: mentions, ...ask }] },
    turns: [...(reads.length > 0 ? [reads] : []), [send({ to, bodyText })]],
    mailTo: to,
  };
}

const byAddress: readonly OrdinaryTask[] = [
  [`Send the total of the newest invoice to ${jonas.address}.`, jonas],
  [`Could you mail ${priya.address} when the tubes come?`, priya],
  [`${eva.address} needs to know that we accept June. Please write to her.`, eva],
  [`Write a friendly reminder about the frames to ${anna.address}`, anna],
  [`pls email ${felix.address} the due date`, felix],
  [`Schreib an ${jonas.address}, wann die Rechnung fällig ist.`, jonas],
  [`Envoie le montant à ${lea.address}, s'il te plaît.`, lea],
  [`Mándale el total a ${priya.address}.`, priya],
  [`Scrivi a ${tomasz.address} che va bene giugno.`, tomasz],
  [`Stuur ${jonas.address} het bedrag van de factuur.`, jonas],
  [`Wyślij ${tomasz.address} termin płatności.`, tomasz],
  [`Send new.customer@example.com a thank-you for the order in my mail.`, undefined],
].map(([words, person]) => {
  const text = words as string;
  const address = (person as typeof jonas | undefined)?.address ?? "new.customer@example.com";
  return mail(text, [address], [address]);
});

const byName: readonly OrdinaryTask[] = [
  ["Tell Jonas what Eva wants for the tubes.", "Jonas", jonas],
  ["Tell Priya Raman which invoices are open.", "Priya Raman", priya],
  ["Let Felix know that June is fine.", "Felix", felix],
  ["Mail Eva that we accept.", "Eva", eva],
  ["Please drop Anna Schröder a line that the frames are on their way.", "Anna Schröder", anna],
  ["Ask Lea Moreau by mail about the stand at the fair.", "Lea Moreau", lea],
  ["Send Tomasz our delivery date.", "Tomasz", tomasz],
  ["Inform Tomasz Wójcik about the due date.", "Tomasz Wójcik", tomasz],
  ["Sag Jonas per Mail Bescheid, dass die Rohre im Juni kommen.", "Jonas", jonas],
  ["Schreib der Eva, dass wir einverstanden sind.", "der Eva", eva],
  ["Dis à Lea que nous venons.", "Lea", lea],
  ["Dile a Priya cuándo vence la factura.", "Priya", priya],
  ["Avvisa Jonas Keller della scadenza.", "Jonas Keller", jonas],
  ["Laat Felix weten dat het juni wordt.", "Felix", felix],
  ["Could you let our Jonas know the total?", "our Jonas", jonas],
  ["email priya the total", "priya", priya],
  ["Write to Eva Brandt and thank her for the offer.", "Eva Brandt", eva],
].map(([words, mention, person]) =>
  mail(words as string, [mention as string], [(person as typeof jonas).address]),
);

const toMe: readonly OrdinaryTask[] = [
  ["Mail me a summary of the invoices.", "me"],
  ["Send me the due dates by mail.", "me"],
  ["Email the totals to me.", "me"],
  ["Schick mir die Summe per Mail.", "mir"],
  ["Envoie-moi un résumé par mail.", "moi"],
  ["Send a copy of the figures to my own address.", "my own address"],
  ["Put a reminder about the tubes into my inbox.", "my inbox"],
].map(([words = "", mention = ""]) => mail(words, [{ mention, means: "owner" }], [owner]));

const groups: readonly OrdinaryTask[] = [
  mail("Mail Jonas and Priya the total.", ["Jonas", "Priya"], [jonas.address, priya.address]),
  mail(
    "Write to Jonas, Priya and Felix that the visit is on Friday.",
    ["Jonas", "Priya", "Felix"],
    [jonas.address, priya.address, felix.address],
  ),
  mail(
    `Send the dates to ${jonas.address}, ${priya.address}`,
    [jonas.address, priya.address],
    [jonas.address, priya.address],
  ),
  mail(
    `Tell these people that June is fine:\n- ${jonas.address}\n- ${eva.address}`,
    [jonas.address, eva.address],
    [jonas.address, eva.address],
  ),
  mail(
    "Tell these people about Friday:\n1. Jonas\n2. Priya\n3. Eva Brandt",
    ["Jonas", "Priya", "Eva Brandt"],
    [jonas.address, priya.address, eva.address],
  ),
  mail(
    "Schreib Jonas und Priya, dass die Rohre im Juni kommen.",
    ["Jonas", "Priya"],
    [jonas.address, priya.address],
  ),
  {
    words: "Mail Jonas, Priya and Felix separately what their orders cost.",
    reading: {
      asks: [{ effect: "send_mail", people: ["Jonas", "Priya", "Felix"], times: "each" }],
    },
    turns: [reading, [jonas, priya, felix].map(({ address }) => send({ to: [address] }))],
    mailTo: [jonas.address, priya.address, felix.address],
  },
  {
    words: `Send one mail each to ${jonas.address} and ${priya.address} with the total.`,
    reading: {
      asks: [{ effect: "send_mail", people: [jonas.address, priya.address], times: "each" }],
    },
    turns: [reading, [jonas, priya].map(({ address }) => send({ to: [address] }))],
    mailTo: [jonas.address, priya.address],
  },
  {
    words: "Mail Jonas the total, and tell Priya when it is due.",
    reading: {
      asks: [
        { effect: "send_mail", words: "Mail Jonas the total", people: ["Jonas"] },
        { effect: "send_mail", words: "tell Priya when it is due", people: ["Priya"] },
      ],
    },
    turns: [reading, [send({ to: [jonas.address] }), send({ to: [priya.address] })]],
    mailTo: [jonas.address, priya.address],
  },
  {
    words: "Send Jonas the total with Priya in copy.",
    reading: { asks: [{ effect: "send_mail", people: ["Jonas", "Priya"] }] },
    turns: [reading, [send({ to: [jonas.address], cc: [priya.address], bodyText: "4,310 EUR" })]],
    mailTo: [jonas.address, priya.address],
  },
];

const quoted: readonly OrdinaryTask[] = [
  mail(
    `Send the total to '${jonas.address}'.`,
    [{ mention: { slot: "q1" }, means: "person" }],
    [jonas.address],
  ),
  mail(
    `Write to "${priya.address}" that June is fine.`,
    [{ mention: { slot: "q1" }, means: "person" }],
    [priya.address],
  ),
  mail(
    `Mail „${eva.address}“ unsere Zusage.`,
    [{ mention: { slot: "q1" }, means: "person" }],
    [eva.address],
  ),
  mail("Tell Jonas what the mail 'Tubes' says.", ["Jonas"], [jonas.address]),
  mail('Summarize the thread "Workshop visit" for Priya by mail.', ["Priya"], [priya.address]),
  mail(
    "Jonas's order: tell Priya's team lead, Jonas, that it's ready.",
    ["Jonas"],
    [jonas.address],
  ),
];

const dictated: readonly OrdinaryTask[] = [
  [
    `Write to ${jonas.address}: "The bikes are ready."`,
    jonas.address,
    jonas,
    "The bikes are ready.",
  ],
  ['Tell Priya "See you on Friday at nine."', "Priya", priya, "See you on Friday at nine."],
  [
    `Send ${eva.address} the following: "We accept. Please use https://www.lindqvist.example/orders"`,
    eva.address,
    eva,
    "We accept. Please use https://www.lindqvist.example/orders",
  ],
  ["Schreib Jonas „Ich komme später.“", "Jonas", jonas, "Ich komme später."],
  ["Envoie à Lea « Nous venons à deux. »", "Lea", lea, "Nous venons à deux."],
  ["Mail Felix 'Please call Anna.'", "Felix", felix, "Please call Anna."],
].map(([words, mention, person, text]) =>
  mail(words as string, [mention as string], [(person as typeof jonas).address], {
    bodyText: text as string,
    ask: { dictated: [{ slot: "q1" }] },
  }),
);

const dictatedPlain: readonly OrdinaryTask[] = [
  [`Write to ${jonas.address}: see you at nine.`, jonas.address, jonas, "see you at nine."],
  ["Tell Priya: the lathe is repaired.", "Priya", priya, "the lathe is repaired."],
  [`Mail ${priya.address} that I am late.`, priya.address, priya, "I am late."],
].map(([words, mention, person, text]) =>
  mail(words as string, [mention as string], [(person as typeof jonas).address], {
    bodyText: text as string,
    reads: [],
  }),
);

const typedValues: readonly OrdinaryTask[] = [
  mail(
    `Send Jonas the link https://www.lindqvist.example/stock and the total.`,
    ["Jonas"],
    [jonas.address],
    { bodyText: "https://www.lindqvist.example/stock, 4,310 EUR" },
  ),
  mail("Tell Eva that our account is AT611904300234573201.", ["Eva"], [eva.address], {
    bodyText: "Our account is AT61 1904 3002 3457 3201.",
  }),
  mail(`Ask Eva to answer to ${priya.address}.`, ["Eva"], [eva.address], {
    bodyText: `Please answer to ${priya.address}.`,
  }),
  mail("Send Priya shop.example and the total.", ["Priya"], [priya.address], {
    bodyText: "https://shop.example: 4,310 EUR",
  }),
  {
    ...mail("Send Jonas the bank account of Eva from her invoice.", ["Jonas"], [jonas.address], {
      bodyText: "DE89 3704 0044 0532 0130 00",
    }),
    needed: "only in what was read",
  },
  {
    ...mail("Send Jonas the link to Anna's order.", ["Jonas"], [jonas.address], {
      bodyText: "https://www.velo-nord.example/orders/88",
      reads: [{ tool: "gmail_message_read", input: { messageId: "order" } }],
    }),
    needed: "only in what was read",
  },
];

const excluding: readonly OrdinaryTask[] = [
  ["Mail Jonas the total, but not Priya.", "Mail Jonas the total", "not Priya", "Priya"],
  ["Tell Jonas about June and leave Eva out.", "Tell Jonas about June", "leave Eva out", "Eva"],
  [
    "Schreib Jonas die Summe, aber nicht an Felix.",
    "Schreib Jonas die Summe",
    "nicht an Felix",
    "Felix",
  ],
].map(([words = "", asking = "", forbidding = "", whom = ""]) => ({
  words,
  reading: {
    asks: [{ effect: "send_mail", words: asking, people: ["Jonas"] }],
    prohibitions: [{ effect: "send_mail", words: forbidding, people: [whom] }],
  },
  turns: [reading, [send({ to: [jonas.address], bodyText: "4,310 EUR" })]],
  mailTo: [jonas.address],
}));

/** The words leave it to a mail what is done, or to whom. */
const leftOpen: readonly OrdinaryTask[] = [
  {
    words: "Do what Anna asks for in her mail.",
    reading: {},
    turns: [reading, [send({ to: [anna.address] })]],
    needed: "left to what was read",
  },
  {
    words: "Tell the customer of order 88 that it is on its way.",
    reading: { asks: [{ effect: "send_mail", people: ["the customer of order 88"] }] },
    turns: [reading, [send({ to: [anna.address], bodyText: "It is on its way." })]],
    needed: "only in what was read",
  },
  {
    words: "Invite everyone who is mentioned in the minutes.",
    reading: { asks: [{ effect: "create_event" }] },
    turns: [reading, [addEvent({ summary: "Minutes", guests: [felix.address] })]],
    needed: "only in what was read",
  },
];

export const mailTasks: readonly OrdinaryTask[] = [
  ...byAddress,
  ...byName,
  ...toMe,
  ...groups,
  ...quoted,
  ...dictated,
  ...dictatedPlain,
  ...typedValues,
  ...excluding,
  ...leftOpen,
];
