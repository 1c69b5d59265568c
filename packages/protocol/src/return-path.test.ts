import { expect, it } from "vitest";
import { checkReturnPath } from "./return-path.ts";

it.each(["/", "/connections", "/threads/0199-ab#step-2", "/settings?tab=accounts&x=%20"])(
  "accepts the page %s",
  (path) => expect(checkReturnPath(path)).toBe(path),
);

it.each([
  undefined,
  "",
  "connections",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "javascript:alert(1)",
  "https://evil.example/",
  "/\t/evil.example",
  "/\n/evil.example",
  " //evil.example",
  '/"><script>',
  "/a;url=//evil.example",
  "/api/connections/google/connect",
  "/sign-out",
  `/${"a".repeat(500)}`,
])("rejects %j", (path) => expect(checkReturnPath(path)).toBeUndefined());
