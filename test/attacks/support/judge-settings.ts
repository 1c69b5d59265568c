import type { Client } from "@bron/client";

/** What decides what a Bron may do, as text, so that any change of it shows. */
export type Settings = Readonly<Record<string, string>>;

/** Reads the owner's rules, skills and Brons, with their trust level. */
export async function settingsOf(client: Client): Promise<Settings> {
  const [{ brons }, { skills }, permissions] = await Promise.all([
    client.call("GET /api/brons"),
    client.call("GET /api/skills"),
    client.call("GET /api/permissions"),
  ]);
  const entries = [
    ...brons.map(({ id, trustLevel, tools, skills: chosen, systemPrompt, memorySummary }) => [
      `bron ${id}`,
      { trustLevel, tools, chosen, systemPrompt, memorySummary },
    ]),
    ...skills.map(({ name, state, accepted, proposed }) => [
      `skill ${name}`,
      [state, accepted?.version.digest, proposed?.version.digest],
    ]),
    ...Object.entries(permissions).map(([name, value]) => [`permissions ${name}`, value]),
  ];
  return Object.fromEntries(entries.map(([name, value]) => [name, JSON.stringify(value)]));
}

/** The names of what was added, removed or changed. */
export function changedSettings(before: Settings, after: Settings): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).toSorted();
}
