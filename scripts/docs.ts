// Writes the pages of docs/ that are generated from packages/protocol and packages/settings. test/docs.test.ts fails when
// a page is out of date.
import { writeFileSync } from "node:fs";
import { errorTable } from "@bron/protocol";
import { settingsJsonSchema, settingsTable } from "@bron/settings";
import { eventsPage } from "./docs-events.ts";
import { httpApiPage } from "./docs-http-api.ts";

function errorsPage(): string {
  const rows = Object.entries(errorTable).map(
    ([code, { status, retryable, public: isPublic, slug, hint }]) =>
      `| <a id="${slug}"></a>\`${code}\` | ${status} | ${retryable ? "yes" : "no"} | ${isPublic ? "yes" : "no"} | ${hint} |`,
  );
  return `# Errors

\`npm run docs\` writes this page from \`packages/protocol/src/errors.ts\`. An error whose code is not public leaves the process
as \`internal\` with a reference. Retries depend on the column "retryable" alone.

| code | HTTP | retryable | public | what to do |
|---|---|---|---|---|
${rows.join("\n")}
`;
}

function settingsPage(): string {
  const rows = settingsTable.map(
    ({ key, variable, inFolder, description, default: initial }) =>
      `| ${[
        `\`${key}\``,
        `\`${variable}\``,
        initial === undefined ? "(not set)" : String(initial),
        inFolder ? "home, folder" : "home",
        description.replace(" Only in BRON_HOME.", ""),
      ].join(" | ")} |`,
  );
  return `# Settings

\`npm run docs\` writes this page from \`packages/settings\`. [Configuration](configuration.md#settings-files) explains the files.
The JSON Schema for editors is [settings.schema.json](settings.schema.json).

| setting | variable | default | where | meaning |
|---|---|---|---|---|
${rows.join("\n")}
`;
}

/** The generated pages: the file name in docs/ and the function that writes its text. */
export const pages: Readonly<Record<string, () => string>> = {
  "errors.md": errorsPage,
  "events.md": eventsPage,
  "http-api.md": httpApiPage,
  "settings.md": settingsPage,
  "settings.schema.json": () => `${JSON.stringify(settingsJsonSchema(), null, 2)}\n`,
};

if (import.meta.main) {
  for (const [name, write] of Object.entries(pages))
    writeFileSync(new URL(`../docs/${name}`, import.meta.url), write());
}
