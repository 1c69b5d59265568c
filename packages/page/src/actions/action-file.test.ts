import { describe, expect, it } from "vitest";
import { actionTypes } from "./action-types.ts";
import { parseActionFile } from "./action-file.ts";
import { actionsInManifest } from "./manifest-actions.ts";

const jsonSchema = `name: searchProducts
description: Searches products.
inputSchema:
  type: object
  properties:
    query:
      type: string
      description: Words to search for
    limit:
      type: number
      default: 10
  required:
    - query
outputSchema:
  type: array
  items:
    type: object
    properties:
      _id: { type: string }
      price: { type: number }
`;

const compact = `name: cart.add_item
description: Adds a product to the cart.
risk: change
import:
  product: product.jay-contract
inputSchema:
  id: string
  quantity?: number
  size: enum(small | large)
  tags: string[]
  notes:
    - string
  price:
    amount: number
    currency?: string
  extra: {}
  counts: record(number)
  item: product?
outputSchema:
  ok: boolean
`;

const fileWith = (schema: string) => `name: a\ndescription: b\ninputSchema:\n${schema}`;

describe("PA6 a .jay-action file", () => {
  it("is read as JSON Schema", () => {
    const { inputSchema, outputSchema, risk } = parseActionFile(jsonSchema, "search.jay-action");
    expect(inputSchema).toEqual({
      type: "object",
      properties: {
        query: { type: "string", description: "Words to search for" },
        limit: { type: "number", default: 10 },
      },
      required: ["query"],
    });
    expect(outputSchema).toMatchObject({ type: "array", items: { type: "object" } });
    expect(risk).toBeUndefined();
  });

  it("is read in the compact notation", () => {
    expect(parseActionFile(compact, "add.jay-action")).toEqual({
      name: "cart.add_item",
      description: "Adds a product to the cart.",
      risk: "change",
      imports: { product: "product.jay-contract" },
      inputSchema: {
        type: "object",
        properties: {
          id: { type: "string" },
          quantity: { type: "number" },
          size: { type: "string", enum: ["small", "large"] },
          tags: { type: "array", items: { type: "string" } },
          notes: { type: "array", items: { type: "string" } },
          price: {
            type: "object",
            properties: { amount: { type: "number" }, currency: { type: "string" } },
            required: ["amount"],
          },
          extra: { type: "object", properties: {} },
          counts: { type: "object", additionalProperties: { type: "number" } },
          item: { type: "object", title: "Contract", description: "Contract: product" },
        },
        required: ["id", "size", "tags", "notes", "price", "extra", "counts"],
      },
      outputSchema: {
        type: "object",
        properties: { ok: { type: "boolean" } },
        required: ["ok"],
      },
    });
  });

  it("takes fields called type and properties in the compact notation", () => {
    const { inputSchema } = parseActionFile(
      fileWith("  type: string\n  properties: string[]\n"),
      "a.jay-action",
    );
    expect(inputSchema).toMatchObject({
      properties: { type: { type: "string" }, properties: { type: "array" } },
    });
  });

  it.each([
    ["  bogus: strnig\n", 'a.jay-action:4: inputSchema.bogus: "strnig" is not a type.'],
    [
      "  type: object\n  properties:\n    q:\n      type: strnig\n",
      'a.jay-action:7: inputSchema.q.type: "strnig" is not a type.',
    ],
    [
      "  type: object\n  properties:\n    list:\n      type: array\n      items:\n        type: txt\n",
      'a.jay-action:9: inputSchema.list.items.type: "txt" is not a type.',
    ],
    [
      "  type: object\n  properties:\n    q: { type: string }\n  required: [other]\n",
      'a.jay-action:7: inputSchema.required: "other" is not one of the properties.',
    ],
    ["  list: [string, number]\n", "a.jay-action:4: inputSchema.list: A list must have one entry"],
    ["  size: enum(a | )\n", 'a.jay-action:4: inputSchema.size: "enum(a | )" is not a type.'],
    ["  at: 12\n", "a.jay-action:4: inputSchema.at: It must be a type"],
    ["  of: product\n", 'a.jay-action:4: inputSchema.of: "product" is not a type.'],
    ["  a: string\n  a: number\n", "a.jay-action:5: Map keys must be unique"],
    ["  - string\n", "a.jay-action:4: inputSchema: It is required, and must be a map."],
  ])("names the file, the line and the path of a problem: %j", (schema, message) => {
    expect(() => parseActionFile(fileWith(schema), "a.jay-action")).toThrow(message);
  });

  it.each([
    ["description: b\ninputSchema: {}\n", "a.jay-action:1: name: It is required"],
    ["name: a\ninputSchema: {}\n", "a.jay-action:1: description: It is required"],
    ["name: a\ndescription: b\n", "a.jay-action:1: inputSchema: It is required"],
    ["name: a\ndescription: b\ninputSchema: {}\nrisk: high\n", "a.jay-action:4: risk: It must be"],
    ["name: a\ndescription: b\ninput: {}\n", "a.jay-action:3: input: It is not known."],
    ["- a\n", "a.jay-action:1: It must be a map"],
    ["name: &x a\ndescription: *x\ninputSchema: {}\n", "a.jay-action"],
  ])("rejects %j", (text, message) => {
    expect(() => parseActionFile(text, "a.jay-action")).toThrow(message);
  });

  it("gives the same declarations every time", () => {
    expect(actionTypes(parseActionFile(compact, "add.jay-action"))).toBe(
      `// Generated by \`bron actions types\`. Do not edit.

import type { ProductViewState } from "./product.jay-contract";

export interface CartAddItemInput {
  id: string;
  quantity?: number;
  size: "small" | "large";
  tags: Array<string>;
  notes: Array<string>;
  price: {
    amount: number;
    currency?: string;
  };
  extra: Record<string, unknown>;
  counts: Record<string, number>;
  item?: ProductViewState;
}

export interface CartAddItemOutput {
  ok: boolean;
}
`,
    );
    expect(actionTypes(parseActionFile(jsonSchema, "search.jay-action"))).toContain(
      "export type SearchProductsOutput = Array<{\n  _id?: string;\n  price?: number;\n}>;",
    );
  });

  it("cannot end the comment of a declaration", () => {
    const text = fileWith(
      "  type: object\n  properties:\n    q:\n      type: string\n      description: 'x */ export const evil = 1 /*'\n",
    );
    expect(actionTypes(parseActionFile(text, "a.jay-action"))).toContain("/** x *\\/ export");
  });
});

describe("PA6 the actions of a plugin.yaml", () => {
  const files = new Map([["./actions/search.jay-action", jsonSchema]]);
  const read = async (path: string) => {
    const text = files.get(path);
    if (text === undefined) throw new Error("missing");
    return text;
  };

  it("have metadata if they name a file, and none if they are only a name", async () => {
    const manifest = `name: shop
actions:
  - name: searchProducts
    action: ./actions/search.jay-action
  - submitRating
`;
    expect(await actionsInManifest(manifest, read)).toEqual([
      { name: "searchProducts", metadata: expect.objectContaining({ name: "searchProducts" }) },
      { name: "submitRating" },
    ]);
  });

  it("name a file that is missing", async () => {
    const manifest = "actions:\n  - name: a\n    action: ./none.jay-action\n";
    await expect(actionsInManifest(manifest, read)).rejects.toThrow(
      "plugin.yaml: ./none.jay-action cannot be read.",
    );
  });
});
