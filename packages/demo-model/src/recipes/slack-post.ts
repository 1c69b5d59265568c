import { quotation } from "../recipe/quotes.ts";
import { defineRecipe, type Step } from "../recipe/recipe.ts";
import { after, flag } from "../recipe/slot.ts";
import { fieldOf, objectsOf, textOf } from "../words/json.ts";
import { resolveReference } from "./own-words.ts";

interface PostValues {
  channel?: string;
  person?: string;
  onSlack?: boolean;
  text?: string;
  line?: string | undefined;
  found?: readonly Member[];
  recipient?: Member;
}

interface Member {
  readonly name: string;
  readonly address: string;
}

const address = "[a-z0-9._%+-]+@[a-z0-9-]+(?:\\.[a-z0-9-]+)+";
/** Patterns ignore case, so that the words after a name must be listed. */
const afterName = "(?:on|in|via|over|through|that|a|an|the|saying|to|about)";
const name = `(?<value>${quotation}|${address}|\\p{L}[\\p{L}'-]*(?: (?!${afterName}\\b)\\p{L}[\\p{L}'-]*)?)`;
const says = "(?:\\s*:\\s*|,?\\s+(?:that|saying|to say(?: that)?|with the text)\\s*:?\\s+|\\s+)";
const verbs = "post|publish|write|share|say|tell|message|dm|ping|send";

/** What the message says: a quotation, or everything after the words that ask for it. */
const text = after(
  new RegExp(`\\b(?:${verbs})\\b[^:]*?${says}(?<value>${quotation})[\\s.!]*$`, "s"),
  new RegExp(
    `\\b(?:${verbs})\\b(?:\\s+a (?:short )?message)?${says}(?<value>\\S.*?)[\\s.!]*$`,
    "s",
  ),
);

const resolveText: Step<PostValues> = {
  set: (values) => ({ line: resolveReference(values.text ?? "", values) }),
};

export const slackPostRecipe = defineRecipe<PostValues>({
  topic: "Slack",
  task: "post in a channel",
  examples: [
    "Post in #general that the workshop closes at four.",
    'Post "Lunch at noon" to #general',
    "post hello team to #office",
    "Post to #orders: the truck left",
    "Please write in the general channel that lunch is ready",
    'Share "The truck left" in #orders.',
  ],
  phrases: ["^post|publish|write|share"],
  unless: ["tomorrow|tonight|later", "email|mail|note|board|summary|digest"],
  slots: {
    channel: after(
      /\b(?:to|on|in|into|onto) (?:the )?(?:slack channel )?#(?<value>[\w-]+)/,
      /\b(?:to|on|in|into) (?:the |our )(?<value>[\w-]+) channel\b/,
    ),
    onSlack: flag(/\b(?:on|in|via) slack\b/),
    text,
  },
  needs: ["channel", "text"],
  steps: [
    resolveText,
    {
      if: ({ line }) => !line,
      say: ({ channel }) =>
        `I didn't post in #${channel} because it needs the result of another step.`,
      stop: true,
      outcome: "could_not",
    },
    {
      id: "post",
      call: "slack_post",
      with: ({ channel, line }) => ({ to: `#${channel}`, text: line }),
      doing: ({ channel }) => `post in #${channel}`,
      isEffect: true,
      onReply: { slots: ["channel"], from: "post" },
    },
    { say: ({ line, channel }) => `I posted "${line}" in #${channel}.` },
  ],
  result: ({ line }) => line,
});

export const slackMessageRecipe = defineRecipe<PostValues>({
  topic: "Slack",
  task: "write to a person",
  examples: [
    "Tell Jonas on Slack that the frames arrived.",
    "Message priya@lindqvist.example on Slack: lunch at noon?",
    'Send Jonas a Slack message saying "The frames arrived"',
    "Please write to Priya on Slack that the door is open",
  ],
  phrases: ["slack"],
  unless: [
    "^what|what's|which|who|list|show|read|summar*|any|when|how|did|do|give",
    "tomorrow|tonight|later",
    "email|mail|summary|digest",
  ],
  slots: {
    person: after(
      new RegExp(
        `\\b(?:tell|message|dm|ping|write(?: to)?|send)\\s+(?!(?:me|it|them|that|this|a|an|the|in|to)\\b)${name}(?=\\s)`,
        "u",
      ),
    ),
    onSlack: flag(/\b(?:on|in|via|over|through) slack\b|\ba (?:direct )?slack message\b/),
    text: after(
      new RegExp(`^.*?(?:that|saying|:|\\s)\\s+(?<value>${quotation})[\\s.!]*$`, "s"),
      /^.*?(?::|\b(?:that|saying|to say(?: that)?)\b:?)\s+(?<value>\S.*?)[\s.!]*$/s,
    ),
  },
  needs: ["person", "onSlack", "text"],
  steps: [
    resolveText,
    {
      if: ({ line }) => !line,
      say: ({ person }) =>
        `I didn't write to ${person} because it needs the result of another step.`,
      stop: true,
      outcome: "could_not",
    },
    {
      if: ({ person = "" }) => !person.includes("@"),
      call: "slack_members",
      with: () => ({ channel: "general" }),
      doing: ({ person }) => `look for ${person} in Slack`,
      as: "found",
      read: (result) =>
        objectsOf(fieldOf(result, "members")).map((member) => ({
          name: textOf(member, "name"),
          address: textOf(member, "address"),
        })),
    },
    {
      set: ({ person = "", found = [] }) => {
        const known = found.filter(
          (member) => member.address !== "" && startsWithName(member, person.toLocaleLowerCase()),
        );
        const [only, ...others] = person.includes("@")
          ? [{ name: person, address: person }]
          : known;
        return only && others.length === 0 ? { recipient: only } : {};
      },
    },
    {
      if: ({ recipient }) => !recipient,
      say: ({ person }) =>
        `I found no one, or more than one, named ${person} in Slack. Tell me their email address.`,
      stop: true,
      outcome: "needs_answer",
    },
    {
      id: "write",
      call: "slack_post",
      with: ({ recipient, line }) => ({ to: recipient?.address, text: line }),
      doing: ({ person }) => `write to ${person} on Slack`,
      isEffect: true,
    },
    { say: ({ line, recipient }) => `I wrote "${line}" to ${recipient?.name} on Slack.` },
  ],
  result: ({ line }) => line,
});

function startsWithName({ name: own, address: email }: Member, person: string): boolean {
  const local = email.slice(0, email.indexOf("@"));
  return [own, local].some(
    (text) => text.toLocaleLowerCase().split(/[\s._-]/)[0] === person.split(" ")[0],
  );
}
