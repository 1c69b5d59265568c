import type { Risk } from "@bron/protocol";
import { expect, test } from "vitest";
import { describeHoldOffers } from "./hold-offers.ts";

function offersFor(...whys: readonly Exclude<Risk["why"], string>[]): string[] {
  const risks = whys.map((why): Risk => ({ kind: "warning", value: "", why, from: [], notes: [] }));
  return describeHoldOffers({ tool: "gmail_send", kind: "mail", risks }, "bron");
}

const stranger = (address: string) =>
  ({ code: "recipient_not_mentioned", address, role: "to" }) as const;

test("X3 prints the commands that keep Bron from asking again", () => {
  expect(offersFor(stranger("john@x.example")).slice(1, -1)).toEqual([
    '  bron permissions allow "<what you call them> <john@x.example>"',
    "  bron permissions grant gmail_send john@x.example --days 7",
  ]);
  expect(offersFor({ code: "site_not_mentioned", host: "shop.example" }).slice(1, -1)).toEqual([
    "  bron permissions grant gmail_send --host shop.example --days 7",
  ]);
});

test.each(["$(id)@x.example", "`id`@x.example", "a;id@x.example", "a'b@x.example", "-x@x.example"])(
  "X3 prints no command with %s, which a shell would read differently",
  (address) => expect(offersFor(stranger(address))).toEqual([]),
);
