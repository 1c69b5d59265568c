import type { Risk } from "@bron/protocol";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from "@tanstack/react-router";
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

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });

function render(risks: readonly Risk[], tool = "gmail_send"): string {
  return renderToStaticMarkup(
    <RouterContextProvider router={router as never}>
      <RiskList tool={tool} runId="run-1" risks={[...risks]} />
    </RouterContextProvider>,
  );
}

const email = (title: string, actionId: string) =>
  ({
    origin: "mail",
    tool: "gmail_search",
    actionId,
    item: { kind: "email", title, author: "Rachel Stone <r@x.example>", date: "2024-11-11T12:00Z" },
  }) as const;

describe("the warnings of an approval", () => {
  it("X3 show the value as a quote, the reason, where it was found, and what is odd about it", () => {
    const page = render([risk]);
    expect(page).toMatch(/<q class="[^"]*decoration-dotted[^"]*">mallory@evil\.example<\/q>/);
    for (const text of [
      "Check these before you approve",
      "Recipient",
      risk.why,
      "Found in:",
      "an email (Reading an email)",
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
    const page = render([coded]);
    for (const text of [
      ">You didn't mention mallory@evil.example (cc).<",
      "Bron found no email to this address that you wrote yourself.",
      "Looks similar to x.example, but isn't. Possible impersonation.",
    ])
      expect(page).toContain(text.replaceAll("'", "&#x27;"));
  });

  it("X3 show foreign text as text, with invisible characters spelled out", () => {
    const page = render([{ ...risk, value: "<b>\u202Eeva</b>" }]);
    expect(page).toContain("&lt;b&gt;\\u{202e}eva&lt;/b&gt;");
  });

  it("BR18 name the tool by what it does", () => {
    const done = [
      { ...risk, kind: "tool", value: "gmail_draft_send" },
      { ...risk, kind: "channel", value: "gmail_draft_send" },
    ] as const;
    const page = render(done, "gmail_draft_send");
    expect(page.match(/>Sending the draft<\/q>/g)).toHaveLength(2);
    expect(page).not.toContain("gmail_draft_send");
  });

  it("X3 name the source in words, with a link to the passage", () => {
    const page = render([{ ...risk, from: [email("Invoice 4711", "a1")], found: true }]);
    expect(page).toContain(
      "the email “Invoice 4711” from Rachel Stone (r@x.example), Nov 11, 2024",
    );
    const href = /href="([^"]*)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const { pathname, searchParams } = new URL(href, "http://localhost");
    expect(pathname).toBe("/runs/run-1");
    expect(Object.fromEntries(searchParams)).toEqual({
      step: "a1",
      find: risk.value,
      after: "Invoice 4711",
    });
  });

  it("X3 fold a long list of sources without dropping one", () => {
    const from = Array.from({ length: 60 }, (_, index) => email(`Mail ${index}.`, `a${index}`));
    const page = render([{ ...risk, from, found: false }]);
    const folded = page.indexOf("<details");
    expect(page.slice(folded)).toContain("Show 57 more");
    for (const { item } of from) expect(page).toContain(item.title);
    expect(page.slice(0, folded)).toContain("Mail 2.");
    expect(page.slice(0, folded)).not.toContain("Mail 3.");
    expect(page).toContain("May have been suggested by");
  });

  it("X3 tell what the owner did outside of the red box", () => {
    const reply = {
      ...risk,
      kind: "warning",
      why: { code: "replied_before", words: "shorter" },
      from: [],
      notes: [],
    } as const;
    const used = { ...reply, kind: "tool", why: { code: "asked_for_once" } } as const;
    const page = render([reply, used]);
    for (const text of [
      "You asked for changes: “shorter”.",
      "You asked for this once, and it was already done.",
    ])
      expect(page).toContain(text);
    expect(page).not.toContain("Check these");
    expect(page).not.toContain("bad");
    expect(
      render([reply, risk])
        .split("<section")
        .map((part) => part.includes("shorter")),
    ).toEqual([true, false]);
    const suggested = { ...used, from: [email("Invoice", "a1")] };
    expect(render([suggested])).toContain("Check these before you approve");
  });

  it("render nothing when there are none", () => {
    expect(render([])).toBe("");
  });
});
