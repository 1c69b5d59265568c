import { quotation } from "../recipe/quotes.ts";
import { defineRecipe } from "../recipe/recipe.ts";
import { dictation } from "../recipe/dictation.ts";
import { after } from "../recipe/slot.ts";
import { addresses } from "./people.ts";
import { subject } from "./revise-email.ts";

interface SeparateValues {
  to?: readonly string[];
  subject?: string;
  body?: string;
  /** One email for each recipient. */
  each?: string;
  /** "sent", or why an email was not. */
  outcomes?: readonly string[];
}

type Line = readonly [line: string, isMeant: (outcome: string | undefined) => boolean];

const lines: readonly Line[] = [
  ["Sent an email to", (outcome) => outcome === "sent"],
  [
    "I couldn't confirm that this was sent. Check before retrying:",
    (outcome) => outcome === "unknown",
  ],
  ["Nothing was sent to", (outcome) => outcome !== "sent" && outcome !== "unknown"],
];

const body = dictation([
  new RegExp(
    `(?:,?\\s*\\b(?:saying|that says|and say|to say)(?: that)?:?|:)\\s+(?<value>${quotation}|.+?)\\s*$`,
    "s",
  ),
]);

export const separateEmailsRecipe = defineRecipe<SeparateValues>({
  topic: "email",
  task: "write the same email to several people separately",
  examples: [
    "Email a@b.example, c@d.example and e@f.example separately: Lunch is at noon.",
    "Send a@b.example and c@d.example separate emails saying Lunch is at noon",
  ],
  phrases: ["^send|email|mail separate|separately|individually|each"],
  slots: {
    body,
    subject,
    each: after(
      /,?\s*\b(?<value>separately|individually|each(?: an?)?(?: separate)?(?: e-?mails?)?|separate e-?mails?)/,
    ),
    to: addresses,
  },
  needs: ["to", "body", "each"],
  continues: ["saying|that"],
  steps: [
    {
      call: "gmail_send",
      with: ({ to = [], subject: own, body: text = "" }) =>
        to.map((address) => ({
          to: [address],
          subject: own ?? (text.split(/[.!?\n]/)[0] ?? "").split(/\s+/).slice(0, 8).join(" "),
          bodyText: text,
        })),
      doing: "send all of the emails",
      isEffect: true,
      as: "outcomes",
      read: () => "sent",
      rescue: ({ status }) => status,
    },
    {
      say: ({ to = [], outcomes = [] }) =>
        lines.flatMap(([line, isMeant]) => {
          const people = to.filter((_, index) => isMeant(outcomes[index]));
          return people.length === 0 ? [] : [`${line} ${people.join(", ")}.`];
        }),
      outcome: ({ outcomes = [] }) => {
        const sent = outcomes.filter((outcome) => outcome === "sent").length;
        return sent === outcomes.length ? "done" : sent > 0 ? "partly_done" : "could_not";
      },
    },
  ],
});
