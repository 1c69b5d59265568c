// Writes the pages of docs/ that are tables of what the code says. test/docs.test.ts fails when they differ.
import { writeFileSync } from "node:fs";
import { errorTable } from "@bron/protocol";

export function errorsPage(): string {
  const rows = Object.entries(errorTable).map(
    ([code, { status, retryable, public: isPublic, slug, hint }]) =>
      `| <a id="${slug}"></a>\`${code}\` | ${status} | ${retryable ? "yes" : "no"} | ${isPublic ? "yes" : "no"} | ${hint} |`,
  );
  return `# Errors

Every error that Bron knows, from \`packages/protocol/src/errors.ts\` (\`npm run docs\` writes this page). A code that is not public leaves the
process as \`internal\` with a reference. Retries look at "retryable" and at nothing else.

| code | HTTP | retryable | public | what to do |
|---|---|---|---|---|
${rows.join("\n")}
`;
}

if (import.meta.main) writeFileSync(new URL("../docs/errors.md", import.meta.url), errorsPage());
