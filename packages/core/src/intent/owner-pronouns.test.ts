import { expect, it } from "vitest";
import { isOwnerPronoun } from "./owner-pronouns.ts";

it.each(["me", "myself", "Me", "mir", "moi", "my own address", "my inbox"])(
  "%s means the owner",
  (mention) => expect(isOwnerPronoun(mention)).toBe(true),
);

it.each(["my lawyer", "my brother Paul", "Jonas and me", "the address", "the team", ""])(
  "%s means someone else",
  (mention) => expect(isOwnerPronoun(mention)).toBe(false),
);
