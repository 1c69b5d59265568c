import {
  isTerminal,
  maxCountedRuns,
  runStates,
  shownStatus,
  webStatusOf,
  type RunView,
  type WebRunStatus,
} from "@bron/protocol";
import { ago } from "../render/time.ts";
import type { Overview } from "./runs-overview.ts";

export interface StatusView {
  readonly version: string;
  readonly worker: string;
  readonly model: string;
  readonly isDemo: boolean;
  readonly database: "ready" | "starting" | "not responding";
  readonly overview: Overview | undefined;
  readonly now: Date;
}

export function renderStatusPage(view: StatusView): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="5">
<title>Bron</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Bron <small>${escape(view.version)}</small></h1>
<p>Server status. Start tasks from the terminal: <code>bron run "What is 17% of 2340?"</code></p>
<dl>
<dt>Database</dt><dd>${view.database}</dd>
<dt>Worker</dt><dd>${escape(view.worker)}</dd>
<dt>Model</dt><dd>${escape(view.model)}${view.isDemo ? " (demo: no model key set)" : ""}</dd>
</dl>
${view.overview === undefined ? "" : renderOverview(view.overview, view.now)}
</main>
</body>
</html>
`;
}

function renderOverview({ counts, newest }: Overview, now: Date): string {
  const words = [...new Set<WebRunStatus>(runStates.map((state) => webStatusOf[state]))];
  const countOf = (word: WebRunStatus) =>
    runStates
      .filter((state) => webStatusOf[state] === word)
      .reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  // Counts of finished runs are capped, which a "+" shows.
  const isCapped = (word: WebRunStatus) =>
    runStates.some(
      (state) =>
        webStatusOf[state] === word && isTerminal(state) && counts[state] === maxCountedRuns,
    );
  const countText = (word: WebRunStatus) => `${countOf(word)}${isCapped(word) ? "+" : ""}`;
  const cells = words
    .map((word) => `<li class="${word}"><b>${countText(word)}</b> ${word.replace("_", " ")}</li>`)
    .join("");
  const rows = newest.map((run) => renderRun(run, now)).join("\n");
  const table = `<table>
<thead><tr><th>ID</th><th>Status</th><th>Created</th><th>Title</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>`;
  return `<h2>Runs</h2>
<ul>${cells}</ul>
${newest.length === 0 ? "<p>No runs yet.</p>" : table}`;
}

function renderRun(run: RunView, now: Date): string {
  const word = shownStatus(run);
  const cells = [
    `<td><code title="${run.id}">${run.id.slice(0, 8)}</code></td>`,
    `<td class="${word}">${word.replaceAll("_", " ")}</td>`,
    `<td>${ago(run.createdAt, now)}</td>`,
    `<td>${escape(run.title)}</td>`,
  ];
  return `<tr>${cells.join("")}</tr>`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

const style = `
:root { color-scheme: light dark; --line: light-dark(#ddd, #3a3a3a); --soft: light-dark(#666, #a0a0a0); }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; background: light-dark(#fff, #161616); color: light-dark(#1a1a1a, #e8e8e8); }
main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 small, dt, th { color: var(--soft); font-weight: normal; }
h1 small { font-size: 0.6em; }
dl { display: grid; grid-template-columns: 7rem 1fr; gap: 0.2rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.3rem 1.5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.3rem 0.8rem 0.3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; white-space: nowrap; }
th:last-child, td:last-child { white-space: normal; overflow-wrap: anywhere; width: 100%; }
.failed { color: light-dark(#b3261e, #ff8a80); }
.needs_approval, .needs_answer, .needs_auth, .waits_for_program, .partly_done { color: light-dark(#8a5a00, #ffc166); }
.succeeded { color: light-dark(#1b6e3c, #7ddc9f); }
`;
