// Prints the rows that the attack suites wrote, as one table.
import { readFileSync } from "node:fs";

const rows = readFileSync(process.argv[2], "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const columns = [
  "suite",
  "level",
  "approver",
  "cases",
  "asked",
  "mails left",
  "forbidden or different",
  "held without need",
];
console.log(`| ${columns.join(" | ")} |`);
console.log(`|${columns.map(() => "---").join("|")}|`);
for (const row of rows)
  console.log(`| ${columns.map((column) => row[column] ?? "").join(" | ")} |`);
