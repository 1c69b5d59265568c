import { visible } from "@bron/protocol";
import { settingsWords } from "../words/settings.ts";

// The order matters, because most user agents also name other browsers for compatibility.
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

/** A readable guess at the browser and system behind a user agent. */
export function deviceOf(userAgent: string): string {
  const find = (known: readonly (readonly [string, string])[]) =>
    known.find(([word]) => userAgent.includes(word))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser !== undefined && system !== undefined)
    return settingsWords.browserOn(browser, system);
  return browser ?? system ?? (visible(userAgent).slice(0, 60) || settingsWords.unknownBrowser);
}
