import { BronError } from "@bron/core";
import { errorCodes, errorTable } from "@bron/protocol";
import { expect, it } from "vitest";
import { z } from "zod";
import { problemOf } from "./problem.ts";
import { RequestRefused } from "./request-refused.ts";

const unexpected = (_reference: string, error: unknown) => expect.unreachable(String(error));

it("describes a public error with its status, message and hint", () => {
  expect(problemOf(new BronError("digest_mismatch", "It changed."), unexpected)).toEqual({
    type: "/docs/errors#digest-mismatch",
    title: "Digest mismatch",
    status: 409,
    detail: "It changed.",
    code: "digest_mismatch",
    hint: "The content changed. Review it again before approving.",
  });
  for (const code of errorCodes.filter((one) => errorTable[one].public))
    expect(problemOf(new BronError(code, "x"), unexpected)).toMatchObject({
      code,
      status: errorTable[code].status,
    });
});

it("passes on why an approval was not accepted, and no other details", () => {
  const why = { code: "already_closed", state: "denied" };
  const closed = new BronError("approval_closed", "Denied.", { details: { why, state: "denied" } });
  expect(problemOf(closed, unexpected)).toMatchObject({ detail: "Denied.", why });
  const other = new BronError("conflict", "No.", { details: { why: "secret" } });
  expect(problemOf(other, unexpected)).not.toHaveProperty("why");
});

it("turns every other error into an internal problem without its message", () => {
  for (const error of [
    new BronError("lease_lost", "secret words"),
    new TypeError("secret words"),
    "secret words",
    undefined,
    { code: "not_found", message: "secret words" },
  ]) {
    const reported: unknown[] = [];
    const problem = problemOf(error, (reference, inner) => reported.push(reference, inner));
    expect(problem).toMatchObject({ status: 500, code: "internal", reference: reported[0] });
    expect(reported[1]).toBe(error);
    expect(JSON.stringify(problem)).not.toContain("secret");
  }
});

it("names every invalid field", () => {
  const { error } = z
    .object({ a: z.object({ b: z.number() }), c: z.string() })
    .safeParse({ a: { b: "x" } });
  expect(problemOf(error, unexpected)).toMatchObject({
    status: 400,
    code: "invalid_input",
    detail: expect.stringMatching(/^a\.b: /),
    errors: [{ path: "a.b" }, { path: "c" }],
  });
});

it("describes HTTP errors from the same table", () => {
  expect(problemOf(new RequestRefused("wrong_host", "No."), unexpected)).toMatchObject({
    status: 421,
    code: "wrong_host",
    title: "Wrong host",
  });
});
