import { BronError } from "@bron/core";
import { expect, it } from "vitest";
import { redirectTarget } from "./redirect-target.ts";

const outcome = (from: string, location: string) => {
  try {
    return redirectTarget(new URL(from), location, {}).href;
  } catch (error) {
    return BronError.is(error) ? error.code : String(error);
  }
};

it.each([
  ["https://a.example.com/x", "/y", "https://a.example.com/y"],
  ["http://a.example.com/x", "https://a.example.com/x", "https://a.example.com/x"],
  ["https://example.com/", "https://www.example.com/", "https://www.example.com/"],
  ["https://a.example.com/x", "http://a.example.com/x", "forbidden"],
  ["https://a.example.com/x", "https://b.example.com/x", "forbidden"],
  ["https://a.example.com/x", "https://a.example.com:8443/x", "forbidden"],
  ["http://a.example.com/x", "http://127.0.0.1/", "forbidden"],
  ["https://a.example.com/x", "https://user@a.example.com/", "forbidden"],
  ["https://a.example.com/x", "javascript:alert(1)", "forbidden"],
  ["https://a.example.com/x", "https://", "tool_failed"],
])("BR12 from %s to %s: %s", (from, location, expected) => {
  expect(outcome(from, location)).toBe(expected);
});
