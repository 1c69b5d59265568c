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
  it("X3 are named in plain sight, and none changes anything with its first press", () => {
    const page = render([stranger]);
    expect(page).toContain("Always allow for john@x.example");
    expect(page).toContain("Name john@x.example");
    expect(page.match(/<button/g)).toHaveLength(2);
    expect(page.match(/aria-expanded="false"/g)).toHaveLength(2);
    expect(page).not.toMatch(/<form|type="submit"/);
  });

  it("X3 are absent where nothing could be offered", () => {
    expect(render([])).toBe("");
    expect(render([stranger, { ...stranger, why: { code: "not_asked_for" } }])).toBe("");
  });
});
