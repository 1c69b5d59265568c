import { createHash } from "node:crypto";

/**
 * Secrets of the simulated Slack. They are derived from the simulator's own secret, so a restart or
 * reset keeps them.
 */
const derive = (name: string, simulatorSecret: string) =>
  createHash("sha256").update(`slack ${name} ${simulatorSecret}`).digest("hex");

export const slackClientId = "424242424242.525252525252";

export const slackClientSecret = (simulatorSecret: string) =>
  derive("client secret", simulatorSecret).slice(0, 32);

/** For apps that use a token instead of a sign-in. */
export const slackBotToken = (simulatorSecret: string) =>
  `xoxb-424242424242-${derive("bot token", simulatorSecret).slice(0, 40)}`;
