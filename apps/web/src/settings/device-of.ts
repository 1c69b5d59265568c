import { visible } from "@bron/protocol";
import { texts } from "../texts.ts";

// The order matters: most browsers name others whose pages they show.
const browsers = [
  ["Edg", "Edge"],
  ["Firefox", "Firefox"],
  ["Chrome", "Chrome"],
  ["Safari", "Safari"],
  ["curl", "curl"],
] as const;
const systems = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS", "macOS"],
  ["Linux", "Linux"],
] as const;

/** What a browser said of itself, in words; a guess, and shown as no more. */
export function deviceOf(userAgent: string): string {
  const find = (known: readonly (readonly [string, string])[]) =>
    known.find(([word]) => userAgent.includes(word))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser !== undefined && system !== undefined)
    return texts.settings.browserOn(browser, system);
  return browser ?? system ?? (visible(userAgent).slice(0, 60) || texts.settings.unknownBrowser);
}
