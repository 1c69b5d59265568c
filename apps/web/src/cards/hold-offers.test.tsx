import { QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { testQueryClient } from "../render-hook.fixture.tsx";
import { HoldOffers } from "./hold-offers.tsx";

const stranger = {
  kind: "recipient",
  value: "john@x.example",
  why: { code: "recipient_not_mentioned", address: "john@x.example", role: "to" },
  from: [],
  notes: [],
} as const;

function render(risks: Parameters<typeof HoldOffers>[0]["risks"]): string {
  return renderToStaticMarkup(
    <QueryClientProvider client={testQueryClient()}>
      <HoldOffers tool="gmail_send" kind="mail" risks={risks} />
    </QueryClientProvider>,
  );
}

describe("offers below an approval", () => {
  it("X3 are folded, so that none of them is the next button", () => {
    const page = render([stranger]);
    expect(page).toMatch(/^<details class="[^"]*"><summary/);
    expect(page).not.toContain("<button");
  });

  it("X3 are absent where nothing could be offered", () => {
    expect(render([])).toBe("");
    expect(render([stranger, { ...stranger, why: { code: "not_asked_for" } }])).toBe("");
  });
});
