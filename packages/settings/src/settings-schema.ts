import { omitUndefined } from "@bron/protocol";
import { z } from "zod";
import { settingGroups, settingsTable, type Setting } from "./settings-table.ts";

/** The zod schema of a settings file, from which the published JSON Schema is generated. */
function settingsSchema() {
  const leafOf = ({ schema, description, ...setting }: Setting) =>
    schema.optional().meta({
      description,
      ...omitUndefined({ default: setting.default }),
    });
  const within = (prefix: string) =>
    Object.fromEntries(
      settingsTable
        .filter(({ key }) => key.startsWith(prefix) && !key.slice(prefix.length).includes("."))
        .map((setting) => [setting.key.slice(prefix.length), leafOf(setting)]),
    );
  return z.strictObject({
    $schema: z.string().optional().meta({ description: "Where an editor finds this schema." }),
    ...within(""),
    ...Object.fromEntries(
      [...settingGroups].map((group) => [group, z.strictObject(within(`${group}.`)).optional()]),
    ),
  });
}

/** The JSON Schema of a settings file, for editors. */
export function settingsJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(settingsSchema(), { io: "input" });
  return { ...schema, title: "Settings of Bron", allowComments: true, allowTrailingCommas: true };
}
