import { createHash } from "node:crypto";

/** Secrets of the simulated Slack. They follow from the world's own, so that a restart and a reset leave them as they are. */
const derive = (name: string, simulatorSecret: string) =>
  createHash("sha256").update(`slack ${name} ${simulatorSecret}`).digest("hex");

export const slackClientId = "424242424242.525252525252";

export const slackClientSecret = (simulatorSecret: string) =>
  derive("client secret", simulatorSecret).slice(0, 32);

/** For apps that are given a token in place of a sign-in. */
export const slackBotToken = (simulatorSecret: string) =>
  `xoxb-424242424242-${derive("bot token", simulatorSecret).slice(0, 40)}`;
