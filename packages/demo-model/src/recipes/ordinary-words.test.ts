import { describe, expect, test } from "vitest";
import { effectsAskedFor } from "./conversation.fixture.ts";
import type { JsonObject } from "../wire.ts";
import type { Played } from "./first-minutes.fixture.ts";
import { playScene } from "./ordinary-words.fixture.ts";

type Row = readonly [
  says: string | readonly string[],
  outcome: Played["outcome"],
  tools: readonly string[],
  part: string,
];

const lookUp = ["gmail_search", "gmail_message_read"];
const mail = [...lookUp, "gmail_send"];
const draft = [...lookUp, "gmail_draft_create"];

function expectRow([says, outcome, tools, part]: Row) {
  const played = playScene({ says: [says].flat() });
  expect(played).toMatchObject({ outcome, tools });
  expect(played.text).toContain(part);
}

/** The words of newcomers on their first day. */
const firstDay: readonly Row[] = [
  [
    "how many mails havent i read yet?? and whos the most anoying sender",
    "partly_done",
    ["gmail_search"],
    'I can\'t do "whos the most anoying sender"',
  ],
  ["how many mails havent i read yet??", "done", ["gmail_search"], "1 unread email."],
  ["hi there! who are you and what can u do for me", "done", [], "built-in demo model"],
  ["whats 17.5% of 2.340 euro plus 3 times 89?", "could_not", [], "I can't do"],
  [
    "am i free next tue between 2 and 3?? if theres a clash tell me what",
    "done",
    ["calendar_search"],
    "You're busy on Tuesday, November 17, 2026, 14:00 to 15:00:\n- 14:00–14:30 1:1 Mara / Jonas",
  ],
  [
    "write priya a mail that the vistors on friday come 15 min later and ask her to bring the safety vests",
    "done",
    mail,
    'Sent "Vistors on friday come 15 min later" to priya@lindqvist.example.',
  ],
  [
    "reply to felix baum about the late batery shipment: tell him we can wait until wednesday, thanks",
    "done",
    ["gmail_search", "gmail_thread_read", "gmail_reply"],
    "Replied to Felix Baum.",
  ],
  [
    "can you put lunch with lea on monday 12.30 for 45 minutes and invite her",
    "done",
    [...lookUp, "calendar_event_create"],
    "12:30–13:15.\nGuests: lea@lindqvist.example.",
  ],
  [
    ["put lunch with lea on monday", "half past twelve, 12:30"],
    "done",
    [...lookUp, "calendar_event_create"],
    "12:30–13:00",
  ],
  [
    "verschiebe mein 1:1 mit priya auf freitag 15 uhr",
    "could_not",
    [],
    "The demo model reads English only.",
  ],
  ["Wie viele ungelesene Mails habe ich?", "could_not", [], "The demo model reads English only."],
  [
    "whats in #workshop lately? did anybody say something about gate 2?",
    "done",
    ["slack_read", "slack_read"],
    "Did anybody say something about gate 2:\n#workshop, latest (2 messages)\nOther:\n- Nov 14, Ben: Gate 2 is closed on Monday.",
  ],
  ["undo that, delete the message", "could_not", [], "I can't do"],
  [
    "remind me tomorow at 9 to call the dentist",
    "done",
    ["calendar_event_create"],
    "I can't send reminders, so it is an event in your calendar.",
  ],
  [
    "forward the battery shipment mail to tomasz and tell him to order from the second supplier",
    "done",
    ["gmail_search", ...lookUp, "gmail_forward"],
    'Forwarded "Late battery shipment" from Felix Baum to tomasz@lindqvist.example.',
  ],
  [
    "move the budget review to wednsday 10am, and tell ben about it",
    "could_not",
    [],
    'I didn\'t understand this part: "tell ben about it"',
  ],
  [
    ["move the budget review to wednsday 10am", "hmm no, move it back to tuesday 2pm"],
    "done",
    ["calendar_search", "calendar_event_update"],
    'Moved "Budget review" to Tuesday, November 17, 2026, 14:00',
  ],
  [
    "am i free on sunday at 1pm?",
    "done",
    ["calendar_search", "clock", "calendar_search"],
    "You're free on Sunday, November 22, 2026, 13:00",
  ],
  [
    ["am i free on thursday at 1pm?", "and on friday?", "what about the whole afternoon"],
    "done",
    ["calendar_search"],
    "on Friday, November 20, 2026, between 12:00 and 18:00",
  ],
  [
    "draft a mail to camille about the eurobike stand: i want version B confirmed by monday. dont send",
    "done",
    draft,
    'Saved a draft to camille@lindqvist.example: "Eurobike stand".',
  ],
  [
    [
      "draft a mail to camille about the stand: i want version B. The lamp is too big. dont send",
      "shorter please",
    ],
    "done",
    draft,
    "The draft from before is still in Drafts",
  ],
  [
    ["draft a mail to camille about the stand: i want version B. dont send", "send it"],
    "done",
    mail,
    'Sent "Stand" to camille@lindqvist.example.\nThe draft from before is still in Drafts.',
  ],
  [
    ["how many unread mails do i have", "and from last week only?"],
    "done",
    ["gmail_search"],
    "from Nov 2 to Nov 8.",
  ],
  ["(2340*0.175)+3*89", "done", ["calculator"], "`(2340*0.175)+3*89` = 676.5"],
  [
    "any news from velo nord? summarise there last mail",
    "done",
    ["gmail_search", "gmail_thread_read"],
    "Velo Nord wrote",
  ],
  [
    'post "Gate 1 is open again" to #general please',
    "done",
    ["slack_post"],
    'I posted "Gate 1 is open again" in #general.',
  ],
  [
    'Email jonas@lindqvist.example "The vests are here."',
    "done",
    ["gmail_send"],
    'Sent "Vests are here" to jonas@lindqvist.example.',
  ],
  ["did anyone mention gate 2 in #general?", "done", ["slack_read"], "Gate 2 is closed."],
  ["what did i note?", "done", ["notes_list"], "Shopping"],
  [
    "what time is it in tokyo when its 3pm here",
    "partly_done",
    ["clock"],
    'I didn\'t understand this part: "when its 3pm here".',
  ],
  [
    "when do i have time on thursday morning for half an hour?",
    "done",
    ["calendar_search"],
    "free the entire time on Thursday",
  ],
  [
    "when is my next meeting and with who",
    "done",
    ["calendar_search", "clock"],
    'Next is "1:1 Mara / Jonas"',
  ],
  ["thanks!", "done", [], "You're welcome."],
];

/** More of the same kind. */
const moreWords: readonly Row[] = [
  ["hey, how many unread mails are there?", "done", ["gmail_search"], "1 unread email"],
  ["do i have any mail from felix that is urgent", "partly_done", ["gmail_search"], "urgent"],
  [
    "how many mails from felix with a red flag",
    "partly_done",
    ["gmail_search"],
    '"with a red flag"',
  ],
  [
    "what did felix write and is it urgent",
    "partly_done",
    ["gmail_search", "gmail_thread_read"],
    '"is it urgent"',
  ],
  [
    "show me my unread mails and delete the old ones",
    "partly_done",
    ["gmail_search"],
    '"delete the old ones"',
  ],
  [
    "summarize #workshop and translate it into french",
    "partly_done",
    ["slack_read"],
    '"translate it into french"',
  ],
  ["how many mails did i send today", "could_not", [], "I can't do"],
  [
    "how many starred mails do i have",
    "partly_done",
    ["gmail_search"],
    "how many starred mails do i have",
  ],
  ["move the budget review to friday but not before 10", "could_not", [], '"not before 10"'],
  ["move the budget review to 1 and paint it blue", "could_not", [], '"paint it blue"'],
  ["who is in the office today", "could_not", [], "I can't do"],
  ["is the lift in #workshop fixed", "could_not", [], "I can't do"],
  ["book a table for two on friday", "could_not", [], "I can't do"],
  ["what is the weather on friday", "could_not", [], "I can't do"],
  ["play some music", "could_not", [], "I can't do"],
  ["unsubscribe me from all newsletters", "could_not", [], "I can't do"],
  [
    "any meetings with the mayor on thursday?",
    "could_not",
    ["calendar_search"],
    'mentions "mayor"',
  ],
  [
    "find free time on thursday for me and priya",
    "partly_done",
    ["calendar_search"],
    'I can\'t do "priya"',
  ],
  ["post hello to #general, if ben agrees", "could_not", [], '"if ben agrees"'],
  ["when ben agrees, post hello to #general", "could_not", [], '"post hello to #general"'],
  ["post hello team to #general", "done", ["slack_post"], 'I posted "hello team" in #general.'],
  [
    "schedule a call with jonas@lindqvist.example tomorrow at 3 unless he is away",
    "could_not",
    [],
    "I can't do",
  ],
  [
    "schedule a call with jonas@lindqvist.example tomorrow at 3",
    "done",
    ["calendar_event_create"],
    "15:00–15:30",
  ],
  [
    "set up a meetng with ben@lindqvist.example on tuesday from 11 to 1 about prices",
    "done",
    ["calendar_event_create"],
    "11:00–13:00",
  ],
  ["schedule a call tomorrow", "needs_answer", [], "What time should it be?"],
  [
    ["schedule a call tomorrow", "at 4 for an hour"],
    "done",
    ["calendar_event_create"],
    "16:00–17:00",
  ],
  [
    ["schedule a call at 4", "tomorrow"],
    "done",
    ["calendar_event_create"],
    "November 16, 2026, 16:00",
  ],
  [
    ["schedule a call tomorrow", "what's on my calendar tomorrow"],
    "done",
    ["calendar_search"],
    "nothing on your calendar",
  ],
  [["schedule a call tomorrow", "never mind"], "could_not", [], "I can't do"],
  [["write an email to lea", "The lift works again."], "done", mail, "to lea@"],
  [["write an email to lea", "never mind"], "could_not", [], "I can't do"],
  ["email lea that the lift works", "done", mail, 'Sent "Lift works" to lea@lindqvist.example.'],
  [
    "mail zoe that the lift works",
    "could_not",
    ["gmail_search", "gmail_search"],
    "I don't know the email address of zoe.",
  ],
  [
    ["email lea that the lift works", "make it funnier"],
    "could_not",
    [],
    `I can't do "make it funnier"`,
  ],
  [
    ["email lea that the lift works", "send it to camille too"],
    "done",
    mail,
    'Sent "Lift works" to camille@lindqvist.example.',
  ],
  [["summarize #workshop", "and email it to lea"], "done", ["slack_read", ...mail], "Sent"],
  [["summarize #workshop", "only what ben wrote about cats"], "could_not", [], "I can't do"],
  [["summarize #workshop", "and in #general?"], "done", ["slack_read"], "#general"],
  [["summarize #workshop", "shorter please"], "could_not", ["slack_read"], "no email yet"],
  ["remind me to call the dentist", "needs_answer", [], "What day should it be?"],
  [
    ["remind me to call the dentist", "tomorrow at 9"],
    "done",
    ["calendar_event_create"],
    '"Call the dentist" on Monday, November 16, 2026, 09:00',
  ],
  [
    ["what's on my calendar on tuesday?", "and on thursday?", "and the day after tomorrow?"],
    "done",
    ["calendar_search"],
    "Tuesday, November 17, 2026",
  ],
  ["am i free on thursday between 2 and 3", "done", ["calendar_search"], "You're busy"],
  [
    "am i free on thursday between 10 and 12",
    "done",
    ["calendar_search"],
    "You're free on Thursday",
  ],
  ["what mails did i get yesterday", "could_not", ["gmail_search"], "couldn't find"],
  ["ok great, thank you so much", "done", [], "You're welcome."],
  [
    "reply to felix baum that friday is fine",
    "done",
    ["gmail_search", "gmail_thread_read", "gmail_reply"],
    "Replied to Felix Baum.",
  ],
  [
    "forward the mail from velo nord to ben",
    "done",
    ["gmail_search", ...lookUp, "gmail_forward"],
    'Forwarded "Bells"',
  ],
  [
    "forward the unicorn mail to ben",
    "could_not",
    ["gmail_search"],
    "I couldn't find a matching email.",
  ],
  [
    "tell jonas on slack that the lift works",
    "done",
    ["slack_members", "slack_post"],
    "to Jonas on Slack",
  ],
];

test.each(firstDay)("%s: %s", (...row) => expectRow(row));
test.each(moreWords)("%s: %s", (...row) => expectRow(row));

describe("what a message says", () => {
  test.each([
    [
      "reply to felix baum about the late batery shipment: tell him we can wait until wednesday, thanks",
      "gmail_reply",
      { bodyText: "We can wait until wednesday, thanks." },
    ],
    [
      "write priya a mail that the vistors on friday come 15 min later and ask her to bring the safety vests",
      "gmail_send",
      {
        bodyText: "The vistors on friday come 15 min later. Please bring the safety vests.",
      },
    ],
    [
      "draft a mail to camille about the eurobike stand: i want version B confirmed by monday. dont send",
      "gmail_draft_create",
      { bodyText: "i want version B confirmed by monday" },
    ],
    [
      "forward the battery shipment mail to tomasz and tell him to order from the second supplier",
      "gmail_forward",
      { messageId: "m0", note: "Please order from the second supplier." },
    ],
  ])("%s", (task, tool, args) => {
    const { calls } = playScene({ says: [task] });
    expect(calls.find(({ name }) => name === tool)?.args).toMatchObject(args);
  });
});

const lunch =
  'create an event "Lunch with Lea" on monday at 12:30 for 45 minutes with lea@lindqvist.example';
const late = 'email priya@lindqvist.example saying "I am late. Start without me."';
const felix = "reply to felix baum: Friday is fine. We wait.";
const forward = "forward the mail from velo nord to ben";
const slack = "message jonas on slack that im 10 min late";
const move = "move the budget review to wednesday 10am";

/** What the owner asks for at an approval, and the next form that they see. */
const replies: readonly (readonly [
  task: string,
  asks: string,
  reply: string,
  then: string,
  form: object,
  edit?: JsonObject,
])[] = [
  [
    lunch,
    "calendar_event_create",
    "1pm, one hour, also invite camille",
    "calendar_event_create",
    {
      summary: "Lunch with Lea",
      start: "2026-11-16T13:00",
      durationMinutes: 60,
      guests: ["lea@lindqvist.example", "camille@lindqvist.example"],
    },
  ],
  [
    lunch,
    "calendar_event_create",
    "add priya too and make it an hour",
    "calendar_event_create",
    {
      start: "2026-11-16T15:30",
      end: "2026-11-16T16:30",
      guests: ["lea@lindqvist.example", "priya@lindqvist.example"],
    },
    { start: "2026-11-16T15:30", end: "2026-11-16T16:00" },
  ],
  [
    lunch,
    "calendar_event_create",
    "without lea, and call it Soup",
    "calendar_event_create",
    { summary: "Soup" },
  ],
  [
    lunch,
    "calendar_event_create",
    "half an hour later",
    "calendar_event_create",
    { start: "2026-11-16T13:00" },
  ],
  [
    lunch,
    "calendar_event_create",
    "rather on tuesday",
    "calendar_event_create",
    { start: "2026-11-17T12:30" },
  ],
  [
    move,
    "calendar_event_update",
    "make it 11 and half an hour, also invite lea",
    "calendar_event_update",
    { start: "2026-11-18T11:00", end: "2026-11-18T11:30", addGuests: ["lea@lindqvist.example"] },
  ],
  [
    late,
    "gmail_send",
    "friendlier, shorter and cc jonas",
    "gmail_send",
    {
      to: ["priya@lindqvist.example"],
      cc: ["jonas@lindqvist.example"],
      bodyText: "Hi Priya!\n\nI am late.\n\nAll the best\n",
    },
  ],
  [
    late,
    "gmail_send",
    'send it to ben instead, subject "Late"',
    "gmail_send",
    { to: ["ben@lindqvist.example"], subject: "Late" },
  ],
  [
    late,
    "gmail_send",
    "add that the vests are here",
    "gmail_send",
    { bodyText: "Sorry, I am late. The vests are here." },
    { bodyText: "Sorry, I am late." },
  ],
  [
    felix,
    "gmail_reply",
    "nicer tone, dont write 'We wait.', cc priya",
    "gmail_draft_create",
    {
      to: ["felix@akku.example"],
      cc: ["priya@lindqvist.example"],
      threadId: "t0",
      bodyText: "Hi Felix!\n\nFriday is fine.\n\nAll the best\n",
    },
  ],
  [felix, "gmail_reply", "shorter", "gmail_reply", { bodyText: "Friday is fine." }],
  [
    forward,
    "gmail_forward",
    "to tomasz instead and cc lea",
    "gmail_forward",
    { to: ["tomasz@lindqvist.example"], cc: ["lea@lindqvist.example"] },
  ],
  [
    slack,
    "slack_post",
    "send it to priya instead",
    "slack_post",
    { to: "priya@lindqvist.example" },
  ],
  [slack, "slack_post", "post it in #general instead", "slack_post", { to: "#general" }],
  [slack, "slack_post", 'say "Ten minutes late"', "slack_post", { text: "Ten minutes late" }],
];

describe("changes at an approval", () => {
  for (const [task, tool, reply, then, form, edit] of replies)
    test(`${task}: ${reply}`, () => {
      const played = playScene({
        says: [task],
        decides: () => [{ tool, reply, ...(edit ? { edit } : {}) }],
      });
      expect(played.outcome).toBe("done");
      expect(played.calls.findLast(({ name }) => name === then)?.args).toMatchObject(form);
      expect(played.calls.filter(({ name }) => name === then).length).toBe(then === tool ? 2 : 1);
    });

  test("names the part that it did not understand", () => {
    const { outcome, text } = playScene({
      says: [lunch],
      decides: () => [{ tool: "calendar_event_create", reply: "1pm and paint it blue" }],
    });
    expect(outcome).toBe("needs_answer");
    expect(text).toContain('I didn\'t understand this part: "paint it blue".');
  });

  test.each([
    [late, "gmail_send", "make it rhyme", "needs_answer"],
    [late, "gmail_send", "cc zoe", "could_not"],
    [slack, "slack_post", "cc priya", "needs_answer"],
    [lunch, "calendar_event_create", "make it funnier", "needs_answer"],
  ])("does nothing if it cannot: %s: %s: %s", (task, tool, reply, ends) => {
    const { outcome, calls } = playScene({ says: [task], decides: () => [{ tool, reply }] });
    expect(outcome).toBe(ends);
    expect(calls.filter(({ name }) => /_send$|_create$|_post$/.test(name)).at(-1)?.name).toBe(tool);
  });

  test("takes several replies, one after the other", () => {
    const { calls } = playScene({
      says: [lunch],
      decides: () => [
        { tool: "calendar_event_create", reply: "1pm" },
        { tool: "calendar_event_create", reply: "and an hour" },
      ],
    });
    expect(calls.at(-1)?.args).toMatchObject({ start: "2026-11-16T13:00", durationMinutes: 60 });
  });
});

describe("what the owner edited", () => {
  test("is what the answer quotes", () => {
    const { text } = playScene({
      says: ['post "the coffee mashine is fixed again :)" to #general'],
      decides: () => [{ tool: "slack_post", edit: { text: "The coffee machine works" } }],
    });
    expect(text).toBe('I posted "The coffee machine works" in #general.');
  });

  test("is what goes to the next person", () => {
    const first = 'email jonas@lindqvist.example: "The headset is here." subject Headset';
    const { outcome, calls } = playScene({
      says: [first, "send it to Priya instead", "now send the same to jonas too"],
      decides: (task) =>
        task.startsWith("send it")
          ? [{ tool: "gmail_send", edit: { bodyText: "Your headset.\nBye" } }]
          : [],
    });
    expect(outcome).toBe("done");
    expect(calls.find(({ name }) => name === "gmail_send")?.args).toMatchObject({
      to: ["jonas@lindqvist.example"],
      subject: "Headset",
      bodyText: "Your headset.\nBye",
    });
  });
});

describe("an attached file", () => {
  const csv = { name: "sales.csv", mediaType: "text/csv", digest: "sha256:csv" };
  const pdf = { name: "invoice.pdf", mediaType: "application/pdf", digest: "sha256:pdf" };

  test("answers two questions about an invoice", () => {
    const says = ["when do i have to pay this and how much is it"];
    const { outcome, text } = playScene({ says, files: [pdf] });
    expect(outcome).toBe("done");
    expect(text).toContain("- Due Date: 2026-12-02");
    expect(text).toContain("- Total: 1,190.00 EUR");
  });

  test("says what it cannot answer about a table", () => {
    const { outcome, text } = playScene({
      says: ["which region made the most revenue in october and what was total bikes sold?"],
      files: [csv],
    });
    expect(outcome).toBe("partly_done");
    expect(text).toContain("region");
  });
});

test.each([
  ["write priya a mail that we come later and ask her to bring vests", ["send_mail"]],
  ["remind me tomorow at 9 to call the dentist", ["create_event"]],
  ["can you put lunch with lea on monday 12.30 for 45 minutes and invite her", ["create_event"]],
  ["forward the battery shipment mail to tomasz and tell him to order more", ["forward"]],
  ["reply to felix baum about the shipment: tell him we can wait", ["reply"]],
  ['Email jonas@lindqvist.example "The vests are here."', ["send_mail"]],
  ["post hello to #general, if ben agrees", []],
])("reads the effects that the words ask for: %s", (task, effects) => {
  expect(effectsAskedFor(task)).toEqual(effects);
});
