import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { RiskList } from "./risk-list.tsx";

const risk = {
  kind: "recipient",
  value: "mallory@evil.example",
  why: "mallory@evil.example (to) was not named by you.",
  from: [{ origin: "mail", tool: "gmail_message_read", actionId: "a" }],
  notes: ["Its domain looks like x.example, and is another one."],
} as const;

describe("what others may have chosen, on the page", () => {
  it("X3 is shown with its value marked as theirs, why, where it was seen, and what is odd about it", () => {
    const page = renderToStaticMarkup(<RiskList tool="gmail_send" risks={[risk]} />);
    expect(page).toMatch(/<q class="[^"]*decoration-dotted[^"]*">mallory@evil\.example<\/q>/);
    for (const text of [
      "What others may have chosen",
      "Recipient",
      risk.why,
      "Seen in: a mail (Reading a message)",
      ...risk.notes,
    ])
      expect(page).toContain(text);
  });

  it("X3 shows their text as text, with what does not show spelled out", () => {
    const page = renderToStaticMarkup(
      <RiskList tool="gmail_send" risks={[{ ...risk, value: "<b>\u202Eeva</b>" }]} />,
    );
    expect(page).toContain("&lt;b&gt;\\u{202e}eva&lt;/b&gt;");
  });

  it("BR18 names what is done in words", () => {
    const done = [
      { ...risk, kind: "tool", value: "gmail_draft_send" },
      { ...risk, kind: "channel", value: "gmail_draft_send" },
    ] as const;
    const page = renderToStaticMarkup(<RiskList tool="gmail_draft_send" risks={done} />);
    expect(page.match(/>Sending the draft<\/q>/g)).toHaveLength(2);
    expect(page).not.toContain("gmail_draft_send");
  });

  it("is not there if there is nothing to show", () => {
    expect(renderToStaticMarkup(<RiskList tool="gmail_send" risks={[]} />)).toBe("");
  });
});
