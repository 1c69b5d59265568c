import { appendFileSync } from "node:fs";

/** Emits a row for `npm run attacks`, which prints all rows as one table at its end. */
export function tableRow(row: Readonly<Record<string, string | number>>): void {
  console.log(
    Object.entries(row)
      .map(([name, value]) => `${name} ${value}`)
      .join(", "),
  );
  const file = process.env["BRON_ATTACKS_TABLE"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(row)}\n`);
}
