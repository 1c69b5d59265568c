import { describe, expect, it } from "vitest";
import { gmailAddress } from "./draft-result.tsx";

describe("the link to a draft in Gmail", () => {
  it("opens the draft itself", () => {
    expect(gmailAddress("18f0ab")).toBe("https://mail.google.com/mail/#drafts/18f0ab");
  });

  it("opens the list of drafts if the log does not name the draft's message", () => {
    expect(gmailAddress(undefined)).toBe("https://mail.google.com/mail/#drafts");
  });

  it("never leaves Gmail, whatever the id is", () => {
    expect(gmailAddress("a/../../b?c#d")).toBe(
      "https://mail.google.com/mail/#drafts/a%2F..%2F..%2Fb%3Fc%23d",
    );
  });
});
