import { expect, it } from "vitest";
import { addressOwner } from "./address-owner.ts";

it.each([
  ["The user declined: too long", "You declined: too long"],
  ["gmail_send: The user declined.", "gmail_send: You declined."],
  ["The user took their approval back.", "You took your approval back."],
  ["gmail_send: The user answered: shorter", "gmail_send: You replied: shorter"],
  [
    "The user undid the approval, so it was not done.",
    "You undid the approval, so it was not done.",
  ],
  ["The user account is locked.", "The user account is locked."],
  ["Ask: what did The user say?", "Ask: what did The user say?"],
])("addresses the owner in %j", (sentence, expected) => {
  expect(addressOwner(sentence)).toBe(expected);
});
