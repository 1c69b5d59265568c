import * as formats from "../../../packages/core/src/tool/json-schema/formats.ts";
import * as jsonSchema from "../../../packages/core/src/tool/json-schema/json-schema.ts";
import * as safePatterns from "../../../packages/core/src/tool/json-schema/safe-pattern.ts";
import * as validateValues from "../../../packages/core/src/tool/json-schema/validate-value.ts";
import * as valuePaths from "../../../packages/core/src/tool/json-schema/value-path.ts";
import type { TextModule } from "./text-module.ts";

/** Schemas and arguments of tools that strangers define. */
export const jsonSchemaFunctions: Readonly<Record<string, TextModule>> = {
  "core/json-schema/formats": {
    exports: formats,
    kinds: ["names"],
    runs: {
      "hasFormat (email)": (text) => formats.hasFormat(text, "email"),
      "hasFormat (date)": (text) => formats.hasFormat(text, "date"),
      "hasFormat (date-time)": (text) => formats.hasFormat(text, "date-time"),
      "hasFormat (uri)": (text) => formats.hasFormat(text, "uri"),
      "hasFormat (uuid)": (text) => formats.hasFormat(text, "uuid"),
    },
  },
  "core/json-schema/json-schema": {
    exports: jsonSchema,
    share: 1 / 4,
    runs: {
      requireUsableSchema: (text) =>
        jsonSchema.requireUsableSchema(
          { type: "object", [text]: text, properties: { a: { $ref: `#/${text}` } } },
          text,
        ),
      resolveReference: (text) => jsonSchema.resolveReference({}, `#/${text}`),
      "resolveReference (deep)": (text) =>
        jsonSchema.resolveReference({ a: {} }, `#${"/a".repeat(text.length / 2)}`),
    },
    without: ["isSchema", "isObject"],
  },
  "core/json-schema/safe-pattern": {
    exports: safePatterns,
    runs: {
      safePattern: (text) => safePatterns.safePattern(text),
      "safePattern (the longest)": (text) => safePatterns.safePattern(text.slice(0, 500)),
    },
    without: ["isQuick"],
  },
  "core/json-schema/validate-value": {
    exports: validateValues,
    share: 1 / 4,
    kinds: ["names"],
    runs: {
      validateValue: (text) =>
        validateValues.validateValue(
          {
            type: "object",
            properties: {
              [text]: false,
              text: {
                type: "string",
                maxLength: 1,
                pattern: "^a+$",
                format: "email",
                enum: [text],
              },
            },
            required: [text],
          },
          { text, [text]: text },
        ),
      "validateValue (pattern)": (text) =>
        validateValues.validateValue({ type: "string", pattern: "^a*b" }, text),
      "validateValue (list)": (text) =>
        validateValues.validateValue(
          { type: "array", uniqueItems: true, items: { const: "b" } },
          text.split(""),
        ),
    },
  },
  "core/json-schema/value-path": {
    exports: valuePaths,
    runs: {
      valuePath: (text) => valuePaths.valuePath([text, ...text.slice(0, 1_000).split("")]),
      shorten: (text) => valuePaths.shorten(text),
    },
  },
};
