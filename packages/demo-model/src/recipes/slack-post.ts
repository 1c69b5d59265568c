import { quotation } from "../recipe/quotes.ts";
import { defineRecipe, type Reply, type Step } from "../recipe/recipe.ts";
import { dictation } from "../recipe/dictation.ts";
import { after, flag } from "../recipe/slot.ts";
import { fieldOf, objectsOf, textOf } from "./json.ts";
import { quoted } from "../words/quoted.ts";
import { resolveReference } from "./own-words.ts";
import { reviseMessage } from "./revise-email.ts";
import { readEmailReply } from "./send-email.ts";

export interface PostValues {
  channel?: string | undefined;
  person?: string | undefined;
  onSlack?: boolean;
  text?: string;
  /** What the message is about: "a short recap". */
  description?: string;
  line?: string | undefined;
  found?: readonly Member[];
  recipient?: Member;
  posted?: { readonly text: string; readonly to: string };
}

interface Member {
  readonly name: string;
  readonly address: string;
}

const address = "[a-z0-9._%+-]+@[a-z0-9-]+(?:\\.[a-z0-9-]+)+";
/** Patterns ignore case, so that the words after a name must be listed. */
const afterName = "(?:on|in|via|over|through|that|a|an|the|saying|to|about)";
const name = `(?<value>${quotation}|${address}|\\p{L}[\\p{L}'-]*(?: (?!${afterName}\\b)\\p{L}[\\p{L}'-]*)?)`;
const clearlySays =
  "(?:\\s*:\\s*|,?\\s+(?:that|saying|to say(?: that)?|with the text)(?:\\s*:)?\\s{1,2}(?=\\S))";
const says = `(?:${clearlySays}|\\s+)`;
const described =
  "an?|the|my|our|your|his|her|their|some\\w*|any\\w*|every\\w*|what|when|where|who|how|why|whether|if|this|these|those|all|to|on|in|into";
const verbs = "post|publish|write|share|announce|say|tell|message|dm|ping|send";

/** What the message says: a quotation, or everything after the words that ask for it. */
const text = dictation([
  new RegExp(`(?<=\\b(?:${verbs})\\b[^:]*?)${says}(?<value>${quotation})`, "s"),
  new RegExp(
    `(?<=\\b(?:${verbs})\\b[^:]*?)${clearlySays}(?<value>\\S(?:(?!\\s{3})[^])*?)(?=\\s{3}|[\\s.!]*$)`,
    "s",
  ),
  new RegExp(
    `\\b(?:${verbs})\\s{1,2}(?!(?:${described})\\b)(?<value>\\S(?:(?!\\s{3})[^])*?)(?=\\s{3}|[\\s.!]*$)`,
    "s",
  ),
]);

/** "A short recap" describes a text, but does not say it. */
const description = after(
  new RegExp(
    `\\b(?:${verbs})\\s{1,2}(?<value>(?:${described})\\b(?:(?!\\s{3})[^])*?)(?=\\s{3}|[\\s.!]*$)`,
    "s",
  ),
);

/** Posts the text to the channel or to the person. */
export const postSteps: readonly Step<PostValues>[] = [
  {
    if: ({ text: own, description: what }) => !own && what,
    say: ({ description: what }) =>
      `I can't write ${quoted(what ?? "")} myself. What should the message say?`,
    asks: ["text"],
    isFreeText: true,
    stop: true,
    outcome: "needs_answer",
  },
  { set: (values) => ({ line: resolveReference(values.text ?? "", values) }) },
  {
    if: ({ line }) => !line,
    say: ({ channel, person }) =>
      channel === undefined
        ? `I didn't write to ${person} because it needs the result of another step.`
        : `I didn't post in #${channel} because it needs the result of another step.`,
    stop: true,
    outcome: "could_not",
  },
  {
    id: "person",
    if: ({ person }) => person?.includes("@") === false,
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
    if: ({ person }) => person,
    set: ({ person = "", found = [] }) => {
      const known = found.filter(
        (member) => member.address !== "" && startsWithName(member, person.toLocaleLowerCase()),
      );
      const [only, ...others] = person.includes("@") ? [{ name: person, address: person }] : known;
      return { recipient: only && others.length === 0 ? only : { name: person, address: "" } };
    },
  },
  {
    if: ({ person, recipient }) => person && !recipient?.address,
    say: ({ person }) =>
      `I found no one, or more than one, named ${person} in Slack. Tell me their email address.`,
    stop: true,
    outcome: "needs_answer",
  },
  {
    call: "slack_post",
    with: ({ channel, recipient, line }) => ({
      to: channel === undefined ? recipient?.address : `#${channel}`,
      text: line,
    }),
    doing: ({ channel, person }) =>
      channel === undefined ? `write to ${person} on Slack` : `post in #${channel}`,
    isEffect: true,
    as: "posted",
    read: (result, { line = "" }) => {
      const changed = fieldOf(result, "changedByUser");
      return { text: textOf(changed, "text") || line, to: textOf(changed, "to") };
    },
    onReply: { read: readPostReply, from: "person" },
  },
  {
    comesFirst: true,
    say: ({ posted, channel, recipient }) => {
      const to = posted?.to ?? "";
      const place = to.startsWith("#") ? to : to === "" && channel ? `#${channel}` : "";
      return place === ""
        ? `I wrote ${quoted(posted?.text ?? "")} to ${to || recipient?.name} on Slack.`
        : `I posted ${quoted(posted?.text ?? "")} in ${place}.`;
    },
  },
];

/** Other words or another recipient, after what the owner edited. */
function readPostReply(reply: Reply, { line = "", channel, person }: PostValues) {
  const before = textOf(reply.edit, "text") || line;
  const shown = { to: person === undefined ? [] : [person], text: before };
  const read = readEmailReply({ ...reply, edit: {} }, {}, shown);
  const change = read?.values.changes?.at(-1);
  const { cc, also, subject, removed, to: [to, second] = [], ...rest } = change ?? {};
  // A message has one recipient, and no subject.
  if (read === undefined || cc || also || subject || second || (removed && !to)) return undefined;
  const wanted = to ?? textOf(reply.edit, "to");
  const target =
    wanted === ""
      ? { channel, person }
      : wanted.startsWith("#")
        ? { channel: wanted.slice(1), person: undefined }
        : { channel: undefined, person: wanted };
  return { ...read, values: { ...target, line: reviseMessage(before, rest) } };
}

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
    'post "Gate 1 is open again" to #general please',
  ],
  phrases: ["^post|publish|write|share|announce", "^everyone|everybody|all|people in|on"],
  unless: ["email|mail|note|board|digest"],
  slots: {
    channel: after(
      /\b(?:to|on|in|into|onto) (?:the )?(?:slack channel )?#(?<value>[\w-]+)/,
      /\b(?:to|on|in|into) (?:the |our )(?<value>[\w-]+) channel\b/,
    ),
    onSlack: flag(/\b(?:on|in|via) slack\b/),
    text,
    description,
  },
  needs: ["channel", "text|description"],
  fillers: "everyone everybody",
  steps: postSteps,
  result: ({ posted }) => posted?.text,
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
    text: dictation([
      new RegExp(`(?:\\b(?:that|saying)|:)?\\s+(?<value>${quotation})`, "s"),
      /(?::|\b(?:that|saying|to say(?: that)?)\b:?)\s{1,2}(?<value>\S.*?)[\s.!]*$/s,
    ]),
  },
  needs: ["person", "onSlack", "text"],
  steps: postSteps,
  result: ({ posted }) => posted?.text,
});

function startsWithName({ name: own, address: email }: Member, person: string): boolean {
  const local = email.slice(0, email.indexOf("@"));
  return [own, local].some(
    (text) => text.toLocaleLowerCase().split(/[\s._-]/)[0] === person.split(" ")[0],
  );
}
