import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { RiskList } from "./risk-list.tsx";

const risk = {
  kind: "recipient",
  value: "mallory@evil.example",
  why: "mallory@evil.example (to) was not named by you.",
  from: [{ origin: "mail", tool: "gmail_message_read", actionId: "a" }],
  notes: ["Looks similar to x.example, but isn't. Possible impersonation."],
} as const;

describe("the warnings of an approval", () => {
  it("X3 show the value as a quote, the reason, where it was found, and what is odd about it", () => {
    const page = renderToStaticMarkup(<RiskList tool="gmail_send" risks={[risk]} />);
    expect(page).toMatch(/<q class="[^"]*decoration-dotted[^"]*">mallory@evil\.example<\/q>/);
    for (const text of [
      "Check these before you approve",
      "Recipient",
      risk.why,
      "Found in: an email (Reading an email)",
      ...risk.notes,
    ])
      expect(page).toContain(text.replaceAll("'", "&#x27;"));
  });

  it("X3 make sentences of codes and their values", () => {
    const coded = {
      ...risk,
      why: { code: "recipient_not_mentioned", address: "mallory@evil.example", role: "cc" },
      notes: [{ code: "never_emailed" }, { code: "lookalike", domain: "x.example" }],
    } as const;
    const page = renderToStaticMarkup(<RiskList tool="gmail_send" risks={[coded]} />);
    for (const text of [
      ">You didn't mention mallory@evil.example (cc).<",
      "You've never emailed this address.",
      "Looks similar to x.example, but isn't. Possible impersonation.",
    ])
      expect(page).toContain(text.replaceAll("'", "&#x27;"));
  });

  it("X3 show foreign text as text, with invisible characters spelled out", () => {
    const page = renderToStaticMarkup(
      <RiskList tool="gmail_send" risks={[{ ...risk, value: "<b>\u202Eeva</b>" }]} />,
    );
    expect(page).toContain("&lt;b&gt;\\u{202e}eva&lt;/b&gt;");
  });

  it("BR18 name the tool by what it does", () => {
    const done = [
      { ...risk, kind: "tool", value: "gmail_draft_send" },
      { ...risk, kind: "channel", value: "gmail_draft_send" },
    ] as const;
    const page = renderToStaticMarkup(<RiskList tool="gmail_draft_send" risks={done} />);
    expect(page.match(/>Sending the draft<\/q>/g)).toHaveLength(2);
    expect(page).not.toContain("gmail_draft_send");
  });

  it("render nothing when there are none", () => {
    expect(renderToStaticMarkup(<RiskList tool="gmail_send" risks={[]} />)).toBe("");
  });
});
