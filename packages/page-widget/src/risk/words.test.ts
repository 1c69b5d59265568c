import { describe, expect, it } from "vitest";
import { isCardNumber, publicUrl } from "../page/secrets.ts";
import { digest } from "./approval.ts";
import { isConsequential, isHarmless } from "./words.ts";

describe("words on a control", () => {
  it.each([
    "Buy now",
    "Delete",
    "Place order",
    "Send message",
    "Sign out",
    "Jetzt kaufen",
    "Supprimer",
    "Enviar",
    "削除する",
    "Удалить",
    "מחק",
    "Cancel subscription",
  ])("asks for %s", (words) => {
    expect(isConsequential(words)).toBe(true);
    expect(isHarmless(words)).toBe(false);
  });

  it.each(["Add to cart", "Show more", "Next", "Close", "Filter", "+", "Weiter", "Cancel"])(
    "lets %s go",
    (words) => {
      expect(isHarmless(words)).toBe(true);
    },
  );

  it.each(["Proceed", "Go", "OK", "Do it", "Blauer Knopf"])("does not know %s", (words) => {
    expect(isHarmless(words)).toBe(false);
  });

  it("does not find a word inside another", () => {
    expect(isConsequential("Display settings")).toBe(false);
    expect(isConsequential("Orderly shelves")).toBe(false);
  });
});

describe("what is left out", () => {
  it("finds card numbers by Luhn's check", () => {
    expect(isCardNumber("4242424242424242")).toBe(true);
    expect(isCardNumber("4242424242424241")).toBe(false);
    expect(isCardNumber("42")).toBe(false);
  });

  it("takes tokens out of an address", () => {
    const address = "https://user:word@shop.example/reset?token=abc123&q=lamp#access_token=xyz";
    expect(publicUrl(address)).toBe("https://shop.example/reset?token=private&q=lamp");
  });
});

it("gives two texts that differ in one character different digests", () => {
  expect(digest("Total 39")).not.toBe(digest("Total 38"));
  expect(digest("Total 39")).toBe(digest("Total 39"));
});
