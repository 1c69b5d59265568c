import { createClient, type Client, type Transport } from "@bron/client";
import { expect, test } from "vitest";
import { findApproval, findRun } from "./find-by-id.ts";

const ids = [
  "3f9a1c20-1111-4222-8333-444455556666",
  "3f9a1c20-2222-4222-8333-444455556666",
  "ab9a1c20-1111-4222-8333-444455556666",
];

/** A client whose transport responds like a server and records the requests. */
function recordingClient(): { readonly client: Client; readonly asked: unknown[] } {
  const asked: unknown[] = [];
  const call = async (key: string, { params, query }: CallOptions) => {
    asked.push(params === undefined ? [key, query] : [key, params]);
    if (params) return params;
    const found = ids.filter((id) => id.startsWith(query.idPrefix)).map((id) => ({ id }));
    return { runs: found, approvals: found, next: null };
  };
  return { client: createClient({ transport: { call } as unknown as Transport }), asked };
}

interface CallOptions {
  readonly params?: { readonly id: string };
  readonly query: { readonly idPrefix: string };
}

for (const [what, find] of [
  ["run", findRun],
  ["approval", findApproval],
] as const) {
  test(`finds a short ${what} id by its prefix, in one request`, async () => {
    const { client, asked } = recordingClient();
    expect(await find(client, "AB9a1c")).toEqual({ id: ids[2] });
    expect(asked).toEqual([[`GET /api/${what}s`, { idPrefix: "ab9a1c", limit: 50 }]]);
  });

  test(`reads a full ${what} id directly`, async () => {
    const { client, asked } = recordingClient();
    expect(await find(client, ids[0]?.toUpperCase() ?? "")).toEqual({ id: ids[0] });
    expect(asked).toEqual([[`GET /api/${what}s/:id`, { id: ids[0] }]]);
  });

  test(`rejects a ${what} id that matches several, matches none, or is too short`, async () => {
    const { client } = recordingClient();
    await expect(find(client, "3f9a1c20")).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(`matches 2 ${what}s`),
    });
    await expect(find(client, "ffffff")).rejects.toMatchObject({ code: "not_found" });
    await expect(find(client, "3f9a1")).rejects.toMatchObject({ code: "invalid_input" });
  });
}
