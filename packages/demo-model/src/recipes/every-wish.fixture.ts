import type { JsonObject } from "../wire.ts";

/** One change outside Bron: its tool, and the arguments that matter. */
export type Effect = readonly [tool: string, args: JsonObject];

/**
 * A request or a conversation, how its last message must end, all changes that it made, and a part
 * of its answer. "open" is every outcome but done.
 */
export type Wish = readonly [
  says: string | readonly string[],
  ends: "done" | "open",
  effects: readonly Effect[],
  part?: string,
];

const at = (name: string) => `${name}@lindqvist.example`;
const mail = (to: string, bodyText: string, more: JsonObject = {}): Effect => [
  "gmail_send",
  { to: [at(to)], bodyText, ...more },
];
const draft = (to: string, bodyText: string): Effect => [
  "gmail_draft_create",
  { to: [at(to)], bodyText },
];
const post = (to: string, text: string): Effect => ["slack_post", { to, text }];
const event = (summary: string, start: string, more: JsonObject = {}): Effect => [
  "calendar_event_create",
  { summary, start: `2026-11-${start}`, ...more },
];
const moved = (eventId: string, start: string): Effect => [
  "calendar_event_update",
  { eventId, start: `2026-11-${start}` },
];
const lift = "the lift works";

export const copies: readonly Wish[] = [
  ["email lea that the lift works, cc ben", "done", [mail("lea", lift, { cc: [at("ben")] })]],
  ["email lea that the lift works and cc ben", "done", [mail("lea", lift, { cc: [at("ben")] })]],
  ["email lea: the lift works, cc ben", "done", [mail("lea", lift, { cc: [at("ben")] })]],
  [
    "send lea a mail saying the lift works, cc: ben and tomasz",
    "done",
    [mail("lea", lift, { cc: [at("ben"), at("tomasz")] })],
  ],
  ["email lea, cc ben, that the lift works", "done", [mail("lea", lift, { cc: [at("ben")] })]],
  ["email lea that the lift works, cc oskar", "open", [], "oskar"],
  [
    "email lea that the lift works with ben in copy",
    "done",
    [mail("lea", lift, { cc: [at("ben")] })],
  ],
  ["email lea that the lift works, bcc ben", "open", [], "bcc"],
  [
    "email lea and ben that the lift works",
    "done",
    [["gmail_send", { to: [at("lea"), at("ben")], bodyText: lift }]],
  ],
  ["email everyone that the lift works", "open", []],
  ["send everybody in the company a mail saying the lift works", "open", []],
  ["email my team that the lift works", "open", []],
  [
    "reply to felix baum that friday is fine, cc lea",
    "done",
    [
      ["gmail_draft_create", { cc: [at("lea")], bodyText: "friday is fine" }],
      ["gmail_draft_send", {}],
    ],
  ],
];

export const secondWishes: readonly Wish[] = [
  ["email lea that the lift works and set it to 9 oclock", "open", [], "set it to 9 oclock"],
  [
    "write lea a mail saying we meet in the hall and set it to 9 oclock",
    "open",
    [],
    "set it to 9 oclock",
  ],
  [
    "email lea that the lift works and post it in #general",
    "done",
    [mail("lea", lift), post("#general", lift)],
  ],
  [
    "email lea that the lift works and tell jonas on slack that gate 2 is closed",
    "done",
    [mail("lea", lift), post(at("jonas"), "gate 2 is closed")],
  ],
  [
    "email lea that the lift works and put it in my calendar",
    "open",
    [mail("lea", lift)],
    "What day should it be?",
  ],
  ["email lea that the lift works and archive her last mail", "open", [], "archive her last mail"],
  [
    "email lea that the lift works and remind me tomorrow at 9 to call her",
    "done",
    [mail("lea", lift), event("Call her", "16T09:00")],
  ],
  [
    "email lea that the lift works and the door is open",
    "done",
    [mail("lea", "the lift works and the door is open")],
  ],
  [
    "email lea saying we need milk, eggs and bread",
    "done",
    [mail("lea", "we need milk, eggs and bread")],
  ],
  [
    'email lea that the lift works. then post "Lift works" in #general',
    "done",
    [mail("lea", lift), post("#general", "Lift works")],
  ],
  [
    "post hello team to #general and email lea that the lift works",
    "done",
    [post("#general", "hello team"), mail("lea", lift)],
  ],
  ['post "Lunch is ready" to #general and pin it', "open", [], "pin it"],
  ["post in #general that lunch is ready and pin it", "open", [], "pin it"],
  ["tell jonas on slack that im late and mute the channel", "open", [], "mute the channel"],
  ["message jonas on slack: lunch at noon?", "done", [post(at("jonas"), "lunch at noon?")]],
  ["write ben that we come at eight, with high priority", "open", [], "with high priority"],
  ["email lea that the lift works with the invoice attached", "open", []],
  [
    "email lea that the lift works and translate it to french",
    "open",
    [],
    "translate it to french",
  ],
  [
    "move the budget review to wednesday 10am and email lea that it moved",
    "done",
    [moved("budget", "18T10:00"), mail("lea", "it moved")],
  ],
  ["move the budget review to wednesday 10am and invite lea", "open", [], "invite lea"],
  ["how many unread mails do i have and post it in #general", "done", [post("#general", "1")]],
  ["how many unread mails do i have and mark them as read", "open", [], "mark them as read"],
  [
    "what is on my calendar on thursday and move the budget review to 4pm",
    "done",
    [["calendar_event_update", { eventId: "budget", start: "2026-11-19T16:00" }]],
  ],
  ["put lunch with lea on monday 12:30 and book a table", "open", [], "book a table"],
  ["forward the mail from velo nord to ben and delete it", "open", [], "delete it"],
  [
    "forward the mail from velo nord to ben and cc lea",
    "done",
    [["gmail_forward", { to: [at("ben")], cc: [at("lea")] }]],
  ],
  ["reply to felix baum that friday is fine and archive it", "open", [], "archive it"],
  [
    "reply to felix baum: friday is fine, and remind me on friday at 8 to check the gate",
    "done",
    [
      ["gmail_reply", { threadId: "t0", bodyText: "friday is fine" }],
      event("Check the gate", "20T08:00"),
    ],
  ],
  ["note down buy stamps and email lea that the lift works", "open", [mail("lea", lift)]],
];

export const delays: readonly Wish[] = [
  ['post "Lunch is ready" to #general in one hour', "open", [], "in one hour"],
  ["post hello team to #general in one hour", "open", [], "in one hour"],
  ["in one hour post hello team to #general", "open", [], "in one hour"],
  ["post in #general in 20 minutes that lunch is ready", "open", [], "in 20 minutes"],
  ["post hello team to #general tomorrow morning", "open", [], "tomorrow morning"],
  ["post hello team to #general every monday", "open", [], "every monday"],
  ["post hello team to #general at 5pm", "open", [], "at 5pm"],
  ["post hello team to #general next week", "open", [], "next week"],
  ["tell jonas on slack in an hour that im late", "open", [], "in an hour"],
  ["email lea tomorrow at 9 that the lift works", "open", [], "tomorrow at 9"],
  ["email lea that the lift works, but later", "open", [], "later"],
  ["email lea that the lift works in one hour", "open", [], "in one hour"],
  ["send lea a mail tonight saying the lift works", "open", [], "tonight"],
  ["email lea that we come tomorrow at 9", "done", [mail("lea", "we come tomorrow at 9")]],
  [
    "email lea saying the meeting is in one hour",
    "done",
    [mail("lea", "the meeting is in one hour")],
  ],
  ["schedule a mail to lea for monday saying the lift works", "open", []],
  ["send lea a reminder every friday that the lift works", "open", [], "every friday"],
  ["remind me every day at 9 to drink water", "open", []],
  ["summarize #workshop every monday", "open", [], "every monday"],
  ["tell me in an hour how many unread mails i have", "open", [], "in an hour"],
  ["how many unread mails do i have, tell me tomorrow", "open", [], "tell me tomorrow"],
  ["reply to felix baum on monday that friday is fine", "open", [], "on monday"],
  ["forward the mail from velo nord to ben on friday", "open", [], "on friday"],
  ["forward the mail from velo nord to ben in two hours", "open", [], "in two hours"],
  ["move the budget review to friday 10am but do it tomorrow", "open", [], "do it tomorrow"],
  ["put lunch with lea yesterday at 12", "open", [], "past"],
  ["remind me at 9 this morning to call lea", "open", []],
  ["put a call with lea on november 2 at 10", "open", [], "past"],
];

export const composed: readonly Wish[] = [
  [
    "post a short recap of #workshop to #general",
    "done",
    [
      [
        "slack_post",
        {
          to: "#general",
          text: "Recap of #workshop:\nOther:\n- Nov 13, Lea: The lift works again.\n- Nov 14, Ben: Gate 2 is closed on Monday.",
        },
      ],
    ],
  ],
  ["post a short recap of our last meeting to #general", "open", [], "recap"],
  ["post a short recap to #general", "open", [], "recap"],
  ["post something nice to #general", "open", [], "something nice"],
  ["post my availability on thursday to #general", "open", []],
  ["share the latest numbers in #general", "open", []],
  ["tell jonas on slack what is on my calendar on thursday", "open", []],
  ["send jonas a summary", "open", []],
  [
    "send lea a summary of the mail from velo nord",
    "done",
    [["gmail_send", { to: [at("lea")] }]],
    "The bells are ready",
  ],
  ["email lea a joke", "open", []],
  ["write lea an apology", "open", []],
  [
    "email lea the agenda for thursday",
    "done",
    [["gmail_send", { to: [at("lea")] }]],
    "Budget review",
  ],
  ["write a friendly mail to lea saying the lift works", "open", [], "friendly"],
  ["send lea a birthday greeting", "open", []],
  ["reply to felix baum with a polite no", "open", []],
  ["reply to felix baum", "open", [], "What should the email say?"],
  ["answer the mail from velo nord", "open", [], "What should the email say?"],
  ["email lea about the lift", "open", [], "What should the email say?"],
  ["summarize my unread mails", "done", [], "The batteries come on Friday."],
  ["summarise the mails from velo nord", "done", [], "The bells are ready. Shall we ship them?"],
  ["give me a quick summary of my inbox", "done", [], "The batteries come on Friday."],
  ["summarize the last mail from felix in one sentence", "open", [], "in one sentence"],
  ["summarize my mails in german", "open", [], "german"],
  ["what is new in my inbox", "done", [], "Late battery shipment"],
];

export const threads: readonly Wish[] = [
  ["reply to all: thanks, friday is fine", "open", [], "Which email"],
  ["reply to everyone that friday is fine", "open", [], "Which email"],
  [
    "reply all to felix baum: friday is fine",
    "done",
    [["gmail_reply", { threadId: "t0", everyone: true, bodyText: "friday is fine" }]],
  ],
  [
    "reply to all in the mail from velo nord saying please ship them",
    "done",
    [["gmail_reply", { threadId: "t1", everyone: true, bodyText: "please ship them" }]],
  ],
  [
    ["what did felix write?", "reply to all: friday is fine"],
    "done",
    [["gmail_reply", { threadId: "t0", everyone: true, bodyText: "friday is fine" }]],
  ],
  [
    ["what did felix write?", "reply to him that friday is fine"],
    "done",
    [["gmail_reply", { threadId: "t0", bodyText: "friday is fine" }]],
  ],
  [
    ["what did felix write?", "answer: friday is fine"],
    "done",
    [["gmail_reply", { threadId: "t0", bodyText: "friday is fine" }]],
  ],
  ["reply to him that friday is fine", "open", [], "Which email"],
  ["reply to it saying yes", "open", [], "Which email"],
  ["reply to the last mail saying yes", "open", []],
  ["reply to zoe that friday is fine", "open", [], "couldn't find"],
  ["reply to felix zimmer that friday is fine", "open", []],
  [
    "reply to the mail about bells: ship them please",
    "done",
    [["gmail_reply", { threadId: "t1", bodyText: "ship them please" }]],
  ],
  ["reply to all my mails saying thanks", "open", []],
  ["forward all mails from velo nord to ben", "open", []],
  ["forward it to ben", "open", []],
  [
    ["what did velo nord write?", "forward it to ben"],
    "done",
    [["gmail_forward", { messageId: "m1", to: [at("ben")] }]],
  ],
];

export const guests: readonly Wish[] = [
  [
    "put lunch with priya on friday 12:30 for an hour",
    "done",
    [event("Lunch with priya", "20T12:30", { guests: [at("priya")] })],
  ],
  [
    "schedule a call with lea and ben tomorrow at 3",
    "done",
    [event("Call with lea and ben", "16T15:00", { guests: [at("lea"), at("ben")] })],
  ],
  [
    "schedule a call with oskar tomorrow at 3",
    "open",
    [event("Call with oskar", "16T15:00")],
    "didn't invite oskar",
  ],
  ["schedule a call with lea@lindqvist.example and oskar tomorrow at 3", "open", [], "oskar"],
  ["set up a meeting tomorrow at 10 and invite everyone", "open", [], "everyone"],
  [
    "set up a meeting with the whole team tomorrow at 10",
    "open",
    [event("Meeting with the whole team", "16T10:00")],
    "the whole team",
  ],
  [
    "plan a workshop on thursday from 9 to 11 in room 4",
    "done",
    [event("Workshop", "19T09:00", { location: "room 4" })],
  ],
  ["put lunch on friday at 12 if i am free", "open", [], "if i am free"],
  ["if im free on friday at 12 put lunch with lea in my calendar", "open", []],
  ["schedule a call with lea tomorrow at 3 on zoom", "open", []],
  ["schedule two calls with lea, tomorrow at 3 and friday at 4", "open", [], "friday at 4"],
  ["book a call with lea tomorrow at 25:00", "open", []],
  ["put a dentist appointment on tuesday at 8, private", "open", [], "private"],
  ["block thursday morning", "open", []],
  ["move all my meetings to friday", "open", []],
  ["move the budget review an hour later", "done", [moved("budget", "19T15:00")]],
  ["push the budget review by half an hour please", "done", [moved("budget", "19T14:30")]],
  ["move the budget review to friday if lea is free", "open", []],
  ["cancel the budget review and tell lea", "open", []],
  ["invite oskar to the budget review", "open", []],
  [
    "invite lea to the budget review",
    "done",
    [["calendar_event_update", { eventId: "budget", addGuests: [at("lea")] }]],
  ],
];

export const everyday: readonly Wish[] = [
  ["don't email lea that the lift works", "open", []],
  ["draft a mail to lea that the lift works but dont send it", "done", [draft("lea", lift)]],
  ["email lea that the lift works, dont mention ben", "open", []],
  ["email lea not ben that the lift works", "open", []],
  ["email zoe and lea that the lift works", "open", [], "zoe"],
  ["show my last 2 mails", "done", [], "Found 2"],
  ["show me the three latest mails from felix", "done", [], "There are no more"],
  ["list mails larger than 5 mb", "open", []],
  ["show the oldest mail from felix", "open", [], "oldest"],
  ["how many mails did velo nord and felix send me", "open", []],
  ["is there a mail from felix or velo nord", "open", []],
  ["any mails from felix with attachments?", "open", []],
  ["what's the wifi password", "open", []],
  ["how are you today my friend", "open", []],
  ["i love you", "open", []],
  ["good morning", "done", []],
  ["you are useless", "open", []],
  ["yes", "open", []],
  ["do it", "open", []],
  ["schreib lea dass der lift geht", "open", []],
  ["envoie un mail à lea pour dire que ça marche", "open", []],
  ["manda un mensaje a jonas", "open", []],
  ["emial lea taht the lift works", "open", []],
  ["sumarize #workshop pls", "done", [], "The lift works again."],
  ["summarize #workshop and #general", "done", [], "#general"],
  ["summarize #nowhere", "open", []],
  ["summarize #workshop without the part about gate 2", "open", []],
  ["whats the difference between #workshop and #general", "open", []],
  ["who wrote the most in #workshop", "open", []],
  ["post hello to #general and #workshop", "open", []],
  ["post hello to #general as ben", "open", [], "as ben"],
  ["post hello to #general and @ mention ben", "open", []],
  ["post hello to #general twice", "open", [], "twice"],
  ["post hello to #general, not to #workshop", "open", []],
  ["dm ben on slack that the lift works", "open", [], "ben"],
  [
    "tell priya on slack that the lift works and that gate 2 is closed",
    "done",
    [post(at("priya"), "the lift works and that gate 2 is closed")],
  ],
  ["what time is it in berlin and in mars", "open", []],
  ["what's 12 * 4 and email it to lea", "open", [], "email it to lea"],
  ["am i free on thursday at 2 and if not when", "done", [], "15:00 to 18:00"],
  ["when am i free with lea on thursday", "open", []],
  ["find a slot for lea, ben and me next week", "open", []],
];

export const followUps: readonly Wish[] = [
  [["email lea that the lift works", "cc ben"], "done", [mail("ben", lift)]],
  [["email lea that the lift works", "send it to ben too and pin it"], "open", []],
  [["email lea that the lift works", "send it again in one hour"], "open", []],
  [["email lea that the lift works", "no wait, dont"], "open", []],
  [["draft a mail to lea that the lift works. dont send", "send it tomorrow"], "open", []],
  [
    ["draft a mail to lea that the lift works. dont send", "ok send it and cc ben"],
    "done",
    [mail("lea", lift, { cc: [at("ben")] })],
  ],
  [["put lunch with lea on monday", "12:30 and invite ben"], "open", []],
  [
    ["put lunch with lea on monday", "12:30"],
    "done",
    [event("Lunch with lea", "16T12:30", { guests: [at("lea")] })],
  ],
  [
    ["write an email to lea", "The lift works, and gate 2 is closed."],
    "done",
    [mail("lea", "The lift works, and gate 2 is closed.")],
  ],
  [["summarize #workshop", "post that to #general tomorrow"], "open", []],
  [
    ["summarize #workshop", "and now post it in #general"],
    "done",
    [["slack_post", { to: "#general" }]],
  ],
  [["how many unread mails do i have", "and from felix?"], "done", [], "from felix"],
  [["how many unread mails do i have", "why"], "open", []],
  [["what's on my calendar on thursday?", "cancel it"], "open", []],
  [["what's on my calendar on thursday?", "and who is coming?"], "open", []],
];

export const moreWishes: readonly Wish[] = [
  [
    "hey can you tell priya on slack that ill be 10 min late and also move my 1:1 to 3pm",
    "done",
    [post(at("priya"), "ill be 10 min late"), moved("one", "17T15:00")],
  ],
  [
    "email lea that the lift works & ben that gate 2 is closed",
    "open",
    [],
    "ben that gate 2 is closed",
  ],
  [
    "email lea that the lift works and ben that gate 2 is closed",
    "open",
    [],
    "ben that gate 2 is closed",
  ],
  ["write to tomasz: order 40 bells, not 50, and call me when they arrive", "open", [], "not 50"],
  [
    'send tomasz a mail "order 40 bells" and cc priya',
    "done",
    [mail("tomasz", "order 40 bells", { cc: [at("priya")] })],
  ],
  [
    "email ben about the gate: it is closed on monday. tell him to use gate 3.",
    "done",
    [mail("ben", "It is closed on monday. Please use gate 3.", { subject: "Gate" })],
  ],
  [
    "email lea: hi lea, the lift works again. best, mara",
    "done",
    [mail("lea", "hi lea, the lift works again. best, mara")],
  ],
  ['post "Lift works" in #general and #workshop', "open", [], "#workshop"],
  ["announce in #general that lunch is ready", "done", [post("#general", "lunch is ready")]],
  ["tell everyone in #general that lunch is ready", "done", [post("#general", "lunch is ready")]],
  ["how many mails did i get from felix yesterday and whats in them", "open", [], "whats in them"],
  ["whats the latest in #workshop and does anybody need me", "open", [], "does anybody need me"],
  [
    "am i free tomorrow at 10 and if so book a call with lea",
    "open",
    [],
    "if so book a call with lea",
  ],
  [
    "book a call with lea on thursday at 2 if nothing else is there",
    "open",
    [],
    "if nothing else is there",
  ],
  ["put vacation from monday to friday in my calendar", "open", [], "Name one day"],
  ["add a weekly stand-up on mondays at 9", "open", [], "not recurring"],
  ["rename the budget review to Money and tell ben", "open", [], "tell ben"],
  [
    "rename the budget review to Money and Time",
    "done",
    [["calendar_event_update", { eventId: "budget", summary: "Money and Time" }]],
  ],
  [
    "forward felix mail to lea and ben",
    "done",
    [["gmail_forward", { messageId: "m0", to: [at("lea"), at("ben")] }]],
  ],
  [
    "forward the mail from felix to lea, and ask her to call him",
    "done",
    [["gmail_forward", { messageId: "m0", note: "Please call him." }]],
  ],
  [
    "forward the mail from felix to lea but remove the signature",
    "open",
    [],
    "remove the signature",
  ],
  [
    "reply to velo nord that they should ship them by friday",
    "done",
    [["gmail_reply", { threadId: "t1", bodyText: "they should ship them by friday" }]],
  ],
  ["answer felix baum that friday is fine but not before ten", "open", [], "not before ten"],
  ["write to jonas that the boxes are orange, not grey, thx", "open", [], "not grey"],
  [
    "email lea that the lift works and tell me how many unread mails i have",
    "done",
    [mail("lea", lift)],
    "1 unread email",
  ],
  [
    "email lea that the lift works and call me when you can",
    "done",
    [mail("lea", "the lift works and call me when you can")],
  ],
  [
    "draft a reply to felix saying friday is fine",
    "done",
    [["gmail_draft_create", { threadId: "t0", bodyText: "friday is fine" }]],
  ],
  [
    "summarise the last 2 mails and send it to lea",
    "done",
    [["gmail_send", { to: [at("lea")] }]],
    "The batteries come on Friday.",
  ],
  ["summarize everything", "open", []],
  ["thank felix for the shipment mail", "open", []],
  ["cuantos correos tengo", "open", []],
  ["wer hat mir heute geschrieben", "open", [], "English"],
  ["summarize #workshop and email it to lea tomorrow", "open", [], "tomorrow"],
  ["show my agenda for thursday and mail it to lea in an hour", "open", [], "in an hour"],
  [
    "summarize #workshop and email it to lea and ben",
    "done",
    [["gmail_send", { to: [at("lea"), at("ben")] }]],
  ],
  ["send jonas a message that im late", "done", [mail("jonas", "im late")]],
  [
    "please send priya and jonas an email: the frames are here",
    "done",
    [["gmail_send", { to: [at("priya"), at("jonas")], bodyText: "the frames are here" }]],
  ],
  ["mail jonas: see you at 5, then book a room", "open", [], "book a room"],
  ["find the invoice from brandt and forward it to ben in an hour", "open", [], "in an hour"],
  ["can you check if jonas is free on thursday", "open", [], "jonas"],
  [
    "write ben an email telling him the lift works and asking for the keys",
    "open",
    [],
    "asking for the keys",
  ],
  ["schedule a meeting with ben and lea tomorrow afternoon", "open", [], "afternoon"],
  ["add lunch with tomasz to my calendar, friday noon, at Da Marco", "open", [], "at Da Marco"],
  ["count my mails from felix and post the number to #general", "open", [], "the number"],
  ['post "done" in #general. And tell Priya.', "open", [], "tell Priya"],
  ["summarize #workshop in two sentences", "open", [], "in two sentences"],
  ['email lea "the lift works" at 9', "open", []],
  [
    'email lea "the lift works" with subject "Lift" and ask for a receipt',
    "open",
    [],
    "ask for a receipt",
  ],
  ['email lea "the lift works" subject "Lift", and attach the plan', "open", [], "attach the plan"],
];

const search = (query: string): readonly Effect[] => [["gmail_search", { query }]];

/** Questions, whose effects are the searches. */
export const questions: readonly Wish[] = [
  ["show me my sent mails from today", "open", search("in:sent newer_than:1d")],
  [
    "what invoices came this month",
    "open",
    search("-from:me {invoice Rechnung facture faktura} after:2026/11/01 before:2026/11/16"),
  ],
  [
    "list all invoices from november",
    "open",
    search("-from:me {invoice Rechnung facture faktura} after:2026/11/01 before:2026/12/01"),
  ],
  [
    "list all orders from december",
    "done",
    search("-from:me {order Bestellung commande} after:2025/12/01 before:2026/01/01"),
  ],
  [
    "list the emails from Felix this month",
    "done",
    search("from:Felix after:2026/11/01 before:2026/11/16"),
  ],
  [
    "How many mails from Felix did I get this month?",
    "done",
    search("from:Felix after:2026/11/01 before:2026/11/16"),
    "from Nov 1 to Nov 15",
  ],
];

const cake = "the cake was great";
const withPriya = event("Meeting with Priya", "16T16:00", { guests: [at("priya")] });

export const pronouns: readonly Wish[] = [
  [
    "Send priya a mail saying the cake was great and put 30 min with her on monday 4pm",
    "done",
    [mail("priya", cake), withPriya],
  ],
  [
    "email priya that the cake was great and book lunch with her on monday at 4pm",
    "done",
    [mail("priya", cake), event("Lunch with Priya", "16T16:00", { guests: [at("priya")] })],
  ],
  [
    ["email priya that the cake was great", "put 30 min with her on monday 4pm"],
    "done",
    [withPriya],
  ],
  ["Put dinner with him on thursday 7pm", "open", [], 'Who do you mean by "him"?'],
  ["put lunch with them on thursday 12pm", "open", [], 'Who do you mean by "them"?'],
  [
    ["put lunch with her on monday 12:30", "lea"],
    "done",
    [event("Lunch with lea", "16T12:30", { guests: [at("lea")] })],
  ],
  [
    "email lea and ben that the lift works and put 30 min with him on monday 4pm",
    "open",
    [["gmail_send", { to: [at("lea"), at("ben")] }]],
    "him",
  ],
];

/** "Write" sends through the approval. Only a draft is a draft. */
export const writes: readonly Wish[] = [
  [
    "write Jonas and tell him the meeting about frames is on thursday 4pm",
    "done",
    [mail("jonas", "The meeting about frames is on thursday 4pm.")],
  ],
  ["Write an email to Priya: the cake was great!", "done", [mail("priya", "the cake was great!")]],
  ["write to lea that the lift works", "done", [mail("lea", lift)]],
  ["draft a mail to lea that the lift works", "done", [draft("lea", lift)]],
  ["who is Claire Dubois and what did she order", "open", []],
  ["draft a mail to Ben about the most expensive invoice, dont send", "open", [], "expensive"],
];

const updated = (args: JsonObject): Effect => [
  "calendar_event_update",
  { eventId: "budget", ...args },
];
const moves = "move the budget review to 3pm";

export const afterEvents: readonly Wish[] = [
  [[moves, "actually make it 45 minutes"], "done", [updated({ end: "2026-11-19T14:45" })]],
  [[moves, "make it 12 instead"], "done", [updated({ start: "2026-11-19T12:00" })]],
  [[moves, "move it to 12:00"], "done", [updated({ start: "2026-11-19T12:00" })]],
  [[moves, "and add Priya"], "done", [updated({ addGuests: [at("priya")] })]],
  [[moves, "can you cancel it"], "open", [], "can't delete events"],
  [[moves, "make it blue"], "open", []],
  [moves, "done", [moved("budget", "19T15:00")]],
  ["hi!", "done", [], "demo model"],
  [["what did felix write?", "hi!"], "done", [], "demo model"],
  [
    "send Felix Baum an email that the lift works",
    "done",
    [["gmail_send", { to: ["felix@akku.example"], bodyText: lift }]],
  ],
];
