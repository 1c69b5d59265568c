import { expect, test } from "vitest";
import { readTasksSearch } from "./search.ts";

test.each([
  [
    { q: "lisbon", show: "done" },
    { q: "lisbon", show: "done" },
  ],
  [{ q: 397 }, { q: "397" }],
  [{ q: "", show: "all" }, {}],
  [{ q: ["x"], show: "archived" }, { show: "archived" }],
  [{ q: "x".repeat(300) }, { q: "x".repeat(200) }],
])("RT12 reads the address of the tasks page: %j", (search, expected) => {
  expect(readTasksSearch(search)).toEqual(expected);
});
