import { expect, it } from "vitest";
import { beyondLimit, parseRecipientLimit } from "./recipient-limit.ts";

const limit = parseRecipientLimit([
  "Jonas@Lindqvist.example",
  "@partner.example",
  "bücher.example",
]);
const beyond = (...addresses: string[]) =>
  beyondLimit(limit, {
    account: "mara@own.example",
    recipients: addresses.map((address) => ({ address, role: "to" })),
  });

it("BR13 lets only the listed people and domains get anything, and the owner", () => {
  expect(
    beyond(
      "Jonas <jonas@lindqvist.example>",
      "anyone@PARTNER.example",
      "a@xn--bcher-kva.example",
      "mara@own.example",
    ),
  ).toEqual([]);
  for (const address of [
    "priya@lindqvist.example",
    "jonas+x@lindqvist.example",
    "a@sub.partner.example",
    "a@partner.example.evil.example",
    "jonas@lindqvist.example.evil.example",
    "other@own.example",
  ])
    expect(beyond("jonas@lindqvist.example", address), address).toEqual([address]);
});

it("BR13 names an entry that is neither an address nor a domain", () =>
  expect(() => parseRecipientLimit(["jonas@lindqvist.example", "everyone"])).toThrow(
    '"everyone" is neither an email address nor a domain such as example.com.',
  ));
