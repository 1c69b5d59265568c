import { ClientError } from "@bron/client";
import { problemWords } from "@bron/protocol";
import { expect, it } from "vitest";
import { wordsOf } from "./states.tsx";

it("makes words of the reason for which an approval was not accepted", () => {
  const details = { why: { code: "undo_too_late" } };
  expect(wordsOf(new ClientError("approval_closed", "detail of the server", { details }))).toBe(
    problemWords.undo_too_late({ code: "undo_too_late" }),
  );
});

it("makes words of the reason for which an effect was not settled", () => {
  const details = { why: { code: "already_settled" } };
  expect(wordsOf(new ClientError("conflict", "detail of the server", { details }))).toBe(
    problemWords.already_settled({ code: "already_settled" }),
  );
});

it("shows the message of every other error", () => {
  expect(wordsOf(new ClientError("conflict", "It changed."))).toBe("It changed.");
  expect(wordsOf(new TypeError("x is undefined"))).toBe("x is undefined");
});
