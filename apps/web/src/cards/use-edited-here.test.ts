import { expect, it } from "vitest";
import { openPage } from "../mount-hook.fixture.tsx";
import { renderHook, testQueryClient } from "../render-hook.fixture.tsx";
import { useEditedHere } from "./use-edited-here.ts";

function openHarness() {
  const { document } = openPage();
  const client = testQueryClient();
  const said: string[] = [];
  const section = {
    focus: () => said.push("focus"),
    scrollIntoView: () => said.push("scroll"),
  } as unknown as HTMLElement;
  const focusOn = (selector: string | undefined) => {
    document.activeElement = {
      closest: (wanted: string) => (wanted === selector ? {} : null),
    };
  };
  return {
    said,
    section,
    focusOn,
    editedIn: (run: string) => renderHook(client, () => useEditedHere(run)),
  };
}

it("moves the reader to the new version once, if the edit was made on this page", () => {
  const { said, section, editedIn } = openHarness();
  editedIn("r1").arrive(section);
  expect(said).toEqual([]);
  editedIn("r1").start();
  expect(editedIn("r1").isAwaited()).toBe(true);
  editedIn("r2").arrive(section);
  expect(said).toEqual([]);
  editedIn("r1").arrive(section);
  editedIn("r1").arrive(section);
  expect(said).toEqual(["focus", "scroll"]);
});

it.each([
  ["an approval", "[data-approval]", ["focus", "scroll"]],
  ["something else", undefined, []],
])("looks where the focus is by now: %s", (_name, selector, moved) => {
  const { said, section, focusOn, editedIn } = openHarness();
  editedIn("r1").start();
  focusOn(selector);
  editedIn("r1").arrive(section);
  expect(said).toEqual(moved);
  expect(editedIn("r1").isAwaited()).toBe(false);
});

it("stops waiting when the edit has failed", () => {
  const { said, section, editedIn } = openHarness();
  editedIn("r1").start();
  editedIn("r1").end();
  editedIn("r1").arrive(section);
  expect(said).toEqual([]);
});
