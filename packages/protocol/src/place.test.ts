import { expect, it } from "vitest";
import { describePlace, placeSchema, servesPlace, type Place, type ServedPlace } from "./place.ts";

const here: Place = { machine: "m", folder: "/a" };

it.each<[string, Place | null, readonly ServedPlace[], boolean]>([
  ["a run without a place goes anywhere", null, [], true],
  ["a folder needs its worker", here, [], false],
  ["a folder is served by its own name", here, [here], true],
  ["a folder is served by its machine", here, [{ machine: "m" }], true],
  ["a folder is not served by one above it", here, [{ machine: "m", folder: "/" }], false],
  ["a folder is not served by another machine", here, [{ machine: "n" }], false],
  ["a folder is not served by a process", here, [{ process: "m" }], false],
  ["a process is served by itself", { process: "p" }, [here, { process: "p" }], true],
  ["a process is not served by a machine", { process: "m" }, [{ machine: "m" }], false],
])("%s", (_what, place, served, isServed) => {
  expect(servesPlace(served, place)).toBe(isServed);
});

it("describes a place in words", () => {
  expect(describePlace(here)).toBe("the folder /a on m");
  expect(describePlace({ process: "p" })).toBe("the process p");
  expect(describePlace(null)).toBe("anywhere");
});

it.each([{}, { machine: "m" }, { folder: "/a" }, { ...here, process: "p" }, { process: "" }])(
  "rejects %j",
  (value) => {
    expect(placeSchema.safeParse(value).success).toBe(false);
  },
);
