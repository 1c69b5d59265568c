import type { Client } from "@bron/client";
import type { RunView } from "@bron/protocol";
import { expect, test } from "vitest";
import { findApproval, findRun } from "./find-by-id.ts";

const ids = [
  "3f9a1c20-1111-4222-8333-444455556666",
  "3f9a1c20-2222-4222-8333-444455556666",
  "ab9a1c20-1111-4222-8333-444455556666",
];

/** Responds like a runtime and records the requests. */
function fakeRuntime(): { readonly runtime: Client; readonly asked: unknown[] } {
  const asked: unknown[] = [];
  const list = (options: { readonly idPrefix?: string } = {}) => {
    asked.push(options);
    return Promise.resolve(
      ids.filter((id) => id.startsWith(options.idPrefix ?? "")).map((id) => ({ id }) as RunView),
    );
  };
  const get = (id: string) => {
    asked.push(id);
    return Promise.resolve({ id } as RunView);
  };
  return {
    runtime: { runs: { list, get }, approvals: { list, get } } as unknown as Client,
    asked,
  };
}

for (const [what, find] of [
  ["run", findRun],
  ["approval", findApproval],
] as const) {
  test(`finds a short ${what} id by its prefix, in one request`, async () => {
    const { runtime, asked } = fakeRuntime();
    expect(await find(runtime, "AB9a1c")).toEqual({ id: ids[2] });
    expect(asked).toEqual([{ idPrefix: "ab9a1c" }]);
  });

  test(`reads a full ${what} id directly`, async () => {
    const { runtime, asked } = fakeRuntime();
    expect(await find(runtime, ids[0]?.toUpperCase() ?? "")).toEqual({ id: ids[0] });
    expect(asked).toEqual([ids[0]]);
  });

  test(`rejects a ${what} id that matches several, matches none, or is too short`, async () => {
    const { runtime } = fakeRuntime();
    await expect(find(runtime, "3f9a1c20")).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(`matches 2 ${what}s`),
    });
    await expect(find(runtime, "ffffff")).rejects.toMatchObject({ code: "not_found" });
    await expect(find(runtime, "3f9a1")).rejects.toMatchObject({ code: "invalid_input" });
  });
}
