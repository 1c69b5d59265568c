import { sampleCount, threadCpuMs } from "@bron/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Temporal } from "temporal-polyfill";
import { planResponse } from "../planner/planner.ts";
import { understandWorkspace } from "./understand-workspace.ts";
import { createWorkspaceHarness } from "./workspace-harness.fixture.ts";

/** Paraphrases of one request. All must lead to the same call. */
const wishes: Readonly<Record<string, readonly string[]>> = {
  "what is on tomorrow": [
    "What is on my calendar tomorrow?",
    "what's on my calendar tomorrow",
    "Show me my appointments for tomorrow",
    "Do I have any meetings tomorrow?",
    "Which events are in my calendar tomorrow?",
    "Please tell me what is in my diary tomorrow.",
    "Was steht morgen in meinem Kalender?",
    "Welche Termine habe ich morgen?",
    "Was habe ich morgen vor?",
    "Zeige mir meine Termine für morgen",
    "Qu'est-ce que j'ai demain dans mon agenda ?",
    "Quels rendez-vous ai-je demain ?",
    "Qu'ai-je de prévu demain ?",
    "Montre-moi mon agenda de demain",
  ],
  "what is on this week": [
    "What is on my calendar this week?",
    "What does my week look like?",
    "Which meetings do I have this week?",
    "Welche Termine habe ich diese Woche?",
    "Wie sieht meine Woche aus?",
    "Quels rendez-vous ai-je cette semaine ?",
  ],
  "what is on next Monday": [
    "What is on my calendar next Monday?",
    "What do I have on Monday?",
    "Was steht nächsten Montag an?",
    "Was habe ich am Montag vor?",
    "Qu'ai-je de prévu lundi prochain ?",
    "Quels rendez-vous ai-je lundi ?",
  ],
  "what is on that day": [
    "What is on my calendar on 17 November?",
    "What's on my calendar on November 17th?",
    "What do I have on 17/11?",
    "Was steht am 17. November in meinem Kalender?",
    "Welche Termine habe ich am 17.11.?",
    "Qu'y a-t-il dans mon agenda le 17 novembre ?",
  ],
  "when free": [
    "When am I free on Thursday afternoon?",
    "Do I have any free slots on Thursday afternoon?",
    "Show me my availability on Thursday afternoon",
    "Wann bin ich am Donnerstagnachmittag frei?",
    "Wann habe ich am Donnerstag Nachmittag Zeit?",
    "Quand suis-je libre jeudi après-midi ?",
    "Quelles sont mes disponibilités jeudi après-midi ?",
  ],
  "a call": [
    "Schedule a 30 minute call with jonas@lindqvist.example tomorrow at 10:00 about frame tubes",
    "Please book a 30-minute call about frame tubes with jonas@lindqvist.example for tomorrow, 10am",
    "Set up a call tomorrow 10:00 for half an hour with jonas@lindqvist.example about frame tubes",
    "Can you arrange a call with jonas@lindqvist.example tomorrow from 10:00 about frame tubes for 30 minutes?",
    "Trage morgen um 10 Uhr einen Call mit jonas@lindqvist.example über frame tubes ein, 30 Minuten",
    "Plane für morgen 10:00 einen 30-minütigen Call mit jonas@lindqvist.example zum Thema frame tubes",
    "Planifie un call de 30 minutes avec jonas@lindqvist.example demain à 10h au sujet de frame tubes",
  ],
  lunch: [
    "Put lunch with Priya on Friday 12:30 for an hour",
    "Add lunch with Priya to my calendar on Friday at 12:30 for one hour",
    "Please schedule lunch with Priya for an hour next Friday at half past 12",
    "Enter lunch with Priya on Friday at 12:30 pm for 60 minutes",
  ],
  "move it": [
    "Move my 1:1 with Jonas to Thursday 15:00",
    "Reschedule the 1:1 with Jonas to Thursday at 3 pm",
    "Please move the 1:1 with Jonas to 15:00 on Thursday",
    "Verschiebe mein 1:1 mit Jonas auf Donnerstag 15 Uhr",
    "Kannst du mein 1:1 mit Jonas auf Donnerstag um 15 Uhr verschieben?",
    "Verlege das 1:1 mit Jonas auf Donnerstag, 15:00 Uhr",
    "Déplace mon 1:1 avec Jonas à jeudi 15h",
    "Décale mon 1:1 avec Jonas au jeudi à 15h00",
  ],
  "rename it": [
    "Rename the supplier call to Brandt prices",
    'Please rename my supplier call to "Brandt prices".',
    "Benenne den supplier call in Brandt prices um",
    "Renomme le supplier call en Brandt prices",
  ],
  "invite her": [
    "Add eva@brandt-metall.example to the supplier call",
    "Invite eva@brandt-metall.example to the supplier call",
    "Füge eva@brandt-metall.example zum supplier call hinzu",
    "Lade eva@brandt-metall.example zum supplier call ein",
    "Ajoute eva@brandt-metall.example au supplier call",
    "Invite eva@brandt-metall.example au supplier call",
  ],
  "the week of a channel": [
    "What was discussed in #orders this week?",
    "What happened in #orders this week?",
    "Summarise #orders for this week",
    "Give me a summary of the orders channel this week",
    "Was wurde diese Woche in #orders besprochen?",
    "Fasse #orders von dieser Woche zusammen",
    "De quoi a-t-on parlé cette semaine dans #orders ?",
    "Résume #orders de cette semaine",
  ],
  "since Monday": [
    "Summarise #workshop since Monday",
    "What was written in #workshop since Monday?",
    "Fasse #workshop seit Montag zusammen",
    "Résume #workshop depuis lundi",
  ],
  "the channels": [
    "Which channels are there?",
    "List all Slack channels",
    "Show me the channels in Slack",
    "Welche Kanäle gibt es?",
    "Quels canaux y a-t-il ?",
  ],
  "a page": [
    "What does https://www.brandt-metall.example/prices say about the dropout?",
    "Read https://www.brandt-metall.example/prices and tell me about the dropout",
    "Was steht auf https://www.brandt-metall.example/prices über den dropout?",
    "Que dit https://www.brandt-metall.example/prices sur le dropout ?",
  ],
  "prices by mail": [
    "Read https://www.lindqvist.example/ and mail the prices to jonas@lindqvist.example",
    "Send jonas@lindqvist.example the prices from https://www.lindqvist.example/",
    "Lies https://www.lindqvist.example/ und schicke die Preise an jonas@lindqvist.example",
    "Lis https://www.lindqvist.example/ et envoie les prix à jonas@lindqvist.example",
  ],
  "a channel by mail": [
    "Summarise #orders of the last 7 days and mail it to jonas@lindqvist.example",
    "Send jonas@lindqvist.example a summary of #orders of the last seven days",
    "Fasse #orders der letzten 7 Tage zusammen und schicke es an jonas@lindqvist.example",
    "Résume #orders des 7 derniers jours et envoie-le à jonas@lindqvist.example",
  ],
};

const anyDay = fc
  .integer({ min: 0, max: 1_500 })
  .map((days) => Temporal.PlainDate.from("2026-01-01").add({ days }));
const { declarations } = createWorkspaceHarness();

function firstCalls(task: string, today: Temporal.PlainDate) {
  return planResponse(
    {
      system: `- Today is ${today.toString()}`,
      task,
      results: [],
      earlierResults: [],
      earlierMessages: [],
      turn: 0,
    },
    declarations,
    true,
  ).calls;
}

/** The parsed request without the language of the reply. */
function wishOf(task: string) {
  const understood = understandWorkspace(task)?.tasks;
  return understood === undefined
    ? undefined
    : JSON.parse(
        JSON.stringify(understood, (key, value: unknown) =>
          key === "words" || key === "topic" ? JSON.stringify(value).toLowerCase() : value,
        ),
      );
}

test.each(Object.entries(wishes))(
  "%s: every wording makes the same plan, on any day",
  (_, wordings) => {
    const [first = ""] = wordings;
    expect(wishOf(first)).toBeDefined();
    for (const wording of wordings)
      expect({ wording, wish: wishOf(wording) }).toEqual({ wording, wish: wishOf(first) });
    fc.assert(
      fc.property(fc.constantFrom(...wordings), anyDay, (wording, today) => {
        const calls = firstCalls(first, today);
        expect(calls).toHaveLength(1);
        expect(firstCalls(wording, today)).toEqual(calls);
      }),
      { numRuns: sampleCount(30) },
    );
  },
);

const noise = fc.constantFrom("", " ", "  ", "\n");
test("ignores capitals, politeness and extra spaces", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(wishes).map(([first = ""]) => first)),
      noise,
      fc.constantFrom("", "Please ", "please "),
      fc.boolean(),
      (wording, space, please, isLower) => {
        const begun =
          isLower || please !== ""
            ? wording.replace(/^[A-Z](?=[a-z]+\s)/, (letter) => letter.toLowerCase())
            : wording;
        expect(wishOf(`${space}${please}${begun}${space}`)).toEqual(wishOf(wording));
      },
    ),
  );
});

test.each([
  "Send an email to a@b.example saying are you free on Friday?",
  "What did Eva write about the meeting?",
  "Are there any mails about the meeting tomorrow?",
  "Book me a flight to Rome tomorrow at 10:00",
  "What is the weather in Paris?",
  "When is the last invoice from Contoso due?",
  "How many unread mails do I have from the last 7 days?",
  "What is the time in Paris?",
  "Tell me a joke",
  "If it rains tomorrow, schedule a meeting at 10:00",
  "Reply to the last mail from Eva and say I am free on Friday at 10:00.",
  "Write a note titled Plan: meeting tomorrow at 10:00",
  "Send an email to a@b.example saying see https://x.example/ for more",
])("%s: is left to other planners", (task) => {
  expect(understandWorkspace(task)).toBeUndefined();
});

test("parses a task of any length in under a second of CPU", () => {
  const texts = [
    "on ".repeat(660),
    "from 9 to 10 ".repeat(150),
    "tomorrow ".repeat(220),
    "#a ".repeat(660),
    "move to ".repeat(240),
    "with A and B ".repeat(150),
    "https://x.example ".repeat(110),
    "de la ".repeat(330),
    "1:1 ".repeat(490),
    "next week ".repeat(199),
    "schedule a call ".repeat(120),
    "rename a to ".repeat(160),
    "calendar ".repeat(30_000),
  ];
  for (const text of texts)
    expect(
      threadCpuMs(() => understandWorkspace(text)),
      text.slice(0, 20),
    ).toBeLessThan(1_000);
});
