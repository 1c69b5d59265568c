import { createHash } from "node:crypto";

/** Secrets of the simulated Slack. They follow from the world's own, so that a restart and a reset leave them as they are. */
const derive = (name: string, worldSecret: string) =>
  createHash("sha256").update(`slack ${name} ${worldSecret}`).digest("hex");

export const slackClientId = "424242424242.525252525252";

export const slackClientSecret = (worldSecret: string) =>
  derive("client secret", worldSecret).slice(0, 32);

/** For apps that are given a token in place of a sign-in. */
export const slackBotToken = (worldSecret: string) =>
  `xoxb-424242424242-${derive("bot token", worldSecret).slice(0, 40)}`;
