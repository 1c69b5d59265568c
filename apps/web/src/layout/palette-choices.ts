import { omitUndefined, visible } from "@bron/protocol";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { queries } from "../live/queries.ts";
import { chooseTheme } from "../settings/theme.ts";
import { texts } from "../texts.ts";
import { useDebounced } from "../use-debounced.ts";
import { otherPlaces, dailyPlaces } from "./navigation.ts";

const words = texts.palette;
const maxTasks = 6;
const pauseMs = 150;

export interface Choice {
  readonly key: string;
  readonly name: string;
  /** The words around what was found. */
  readonly hint?: string | undefined;
  go(): void;
}

interface ChoiceGroup {
  readonly title: string;
  readonly choices: readonly Choice[];
}

interface Offered {
  /** What the owner has typed. */
  readonly typed: string;
  onShortcuts(): void;
}

/** Everything that the palette offers for some words. The server searches the tasks. */
export function usePaletteChoices({ typed, onShortcuts }: Offered): {
  readonly groups: readonly ChoiceGroup[];
  readonly isSearching: boolean;
} {
  const navigate = useNavigate();
  const asked = useDebounced(typed.trim(), pauseMs);
  const found = useInfiniteQuery({
    ...queries.threads({ words: asked }),
    placeholderData: keepPreviousData,
  });
  const { data: brons = [] } = useQuery(queries.brons());
  const { data: about } = useQuery(queries.about());
  const tasks = (found.data?.pages ?? []).flatMap(({ threads }) =>
    threads.map(({ id, title, snippet }) => ({
      key: id,
      name: visible(title),
      ...omitUndefined({ hint: snippet === null ? undefined : visible(snippet) }),
      go: () => void navigate({ to: "/threads/$threadId", params: { threadId: id } }),
    })),
  );
  const places = [...dailyPlaces, ...otherPlaces(about?.demoMail === true)].map(({ to, name }) => ({
    key: to,
    name,
    go: () => void navigate({ to }),
  }));
  const known = brons.map(({ id, name }) => ({
    key: id,
    name: visible(name),
    go: () => void navigate({ to: "/brons/$bronId", params: { bronId: id } }),
  }));
  const commands = [
    { key: "new", name: words.newTask, go: () => void navigate({ to: "/" }) },
    { key: "approvals", name: words.openApprovals, go: () => void navigate({ to: "/approvals" }) },
    { key: "theme", name: isDark() ? words.lightTheme : words.darkTheme, go: toggleTheme },
    { key: "shortcuts", name: words.shortcuts, go: onShortcuts },
  ];
  const matching = (choices: readonly Choice[]) =>
    choices.filter(({ name }) => hasAll(name, typed));
  const isSearching = asked !== typed.trim() || found.isPlaceholderData;
  // Until the server has answered, only what was found before and still fits.
  const fitting = isSearching
    ? tasks.filter(({ name, hint = "" }) => hasAll(`${name} ${hint}`, typed))
    : tasks;
  const groups = [
    { title: typed === "" ? words.recent : words.tasks, choices: fitting.slice(0, maxTasks) },
    { title: words.commands, choices: matching(commands) },
    { title: words.brons, choices: typed === "" ? [] : matching(known) },
    { title: words.pages, choices: matching(places) },
  ];
  return {
    groups: groups.filter(({ choices }) => choices.length > 0),
    isSearching,
  };
}

/** Whether a name has all words that were typed, in any order. */
function hasAll(name: string, typed: string): boolean {
  const lower = name.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined
    ? matchMedia("(prefers-color-scheme: dark)").matches
    : theme === "dark";
}

function toggleTheme(): void {
  chooseTheme(isDark() ? "light" : "dark");
}
