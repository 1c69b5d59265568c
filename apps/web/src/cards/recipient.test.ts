import { expect, it } from "vitest";
import { describeRecipient } from "./recipient.ts";

const contact = (value: string, name: string | null = null) => ({
  id: value,
  createdAt: "",
  value,
  name,
  kind: value.includes("@") ? ("person" as const) : ("domain" as const),
});
const known = {
  account: "mara@lindqvist.example",
  contacts: [contact("eva@x.example", "The client"), contact("brandt.example")],
};

it.each([
  ["Eva@x.example", "The client", "Eva@x.example", "trusted"],
  ['"Tom B." <tom@brandt.example>', "Tom B.", "tom@brandt.example", "trusted"],
  ["jonas@lindqvist.example", undefined, "jonas@lindqvist.example", undefined],
  ["eva@x.example.evil", undefined, "eva@x.example.evil", "outside"],
  ["tom@sub.brandt.example", undefined, "tom@sub.brandt.example", "outside"],
  ["#general", undefined, "#general", undefined],
])("describes the recipient %s", (value, name, address, standing) => {
  expect(describeRecipient(value, known)).toEqual({ name, address, standing });
});

it("marks nobody before the trusted contacts are known", () => {
  expect(describeRecipient("Eva <eva@x.example>", { ...known, contacts: undefined })).toEqual({
    name: "Eva",
    address: "eva@x.example",
    standing: undefined,
  });
});
