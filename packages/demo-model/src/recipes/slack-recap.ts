import { defineRecipe } from "../recipe/recipe.ts";
import { after, flag } from "../recipe/slot.ts";
import type { Days } from "./days.ts";
import { checkDays } from "./calendar-steps.ts";
import { digest, pastDays, readMessages, type ChannelRead } from "./slack.ts";
import { postSteps, type PostValues } from "./slack-post.ts";

interface RecapValues extends PostValues {
  source?: string;
  isRecap?: boolean;
  days?: Days;
  read?: ChannelRead;
}

/** What is posted was read before, so it is quoted from there. */
export const slackRecapRecipe = defineRecipe<RecapValues>({
  topic: "Slack",
  task: "",
  examples: [
    "Post a short recap of #workshop to #general",
    "share a summary of #orders of the last 7 days in #general",
  ],
  phrases: ["^post|publish|share|write recap|summary|digest|overview"],
  unless: ["email|mail|note|board"],
  slots: {
    source: after(/\b(?:of|about|from|on) (?:what happened in )?#(?<value>[\w-]+)/),
    channel: after(/\b(?:to|in|into|on) #(?<value>[\w-]+)/),
    days: pastDays,
    isRecap: flag(/\b(?:an? )?(?:short |quick |brief )?(?:recap|summary|digest|overview)\b/),
  },
  needs: ["source", "channel"],
  steps: [
    ...checkDays,
    {
      call: "slack_read",
      with: ({ source, days }) => ({ channel: source, since: days?.from, limit: 100 }),
      doing: "read the Slack channel",
      as: "read",
      read: readMessages,
    },
    {
      if: ({ read }) => !read?.messages.length,
      say: ({ source }) => `No messages in #${source}, so I posted nothing.`,
      stop: true,
      outcome: "could_not",
    },
    {
      set: ({ source, read }) => ({
        text: [`Recap of #${source}:`, ...digest(read?.messages ?? [])].join("\n"),
      }),
    },
    ...postSteps,
  ],
  result: ({ posted }) => posted?.text,
});
