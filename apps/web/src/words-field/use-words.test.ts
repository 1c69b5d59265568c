import type { ClipboardEvent, DragEvent } from "react";
import { expect, it } from "vitest";
import { mountHook, openPage } from "../mount-hook.fixture.tsx";
import { testQueryClient } from "../render-hook.fixture.tsx";
import { texts } from "../texts.ts";
import { useWords } from "./use-words.ts";

const lines = "From: Eva\nPay this.\nToday.";

function openField() {
  openPage();
  const field = mountHook(testQueryClient(), () => useWords());
  const element = { value: "", selectionStart: 0, selectionEnd: 0, focus: () => focused.push(1) };
  const focused: number[] = [];
  field.current().ref.current = element as unknown as HTMLTextAreaElement;
  const event = (text: string, files: readonly unknown[] = []) => {
    const done: string[] = [];
    const data = { getData: () => text, files };
    return {
      done,
      clipboardData: data,
      dataTransfer: data,
      preventDefault: () => done.push("prevented"),
      stopPropagation: () => done.push("stopped"),
    };
  };
  const paste = (text: string) => {
    const pasted = event(text);
    field.act(({ handlers }) =>
      handlers.onPaste(pasted as unknown as ClipboardEvent<HTMLTextAreaElement>),
    );
    return pasted.done;
  };
  const drop = (text: string, files?: readonly unknown[]) => {
    const dropped = event(text, files);
    field.act(({ handlers }) => handlers.onDrop(dropped as unknown as DragEvent));
    return dropped.done;
  };
  return { field, element, focused, paste, drop };
}

it("keeps more than a line that is pasted beside the words, and leaves a line to the browser", () => {
  const { field, paste } = openField();
  expect(field.current().context).toBeUndefined();
  expect(paste("one line")).toEqual([]);
  expect(field.current().pasted).toEqual([]);
  expect(paste(lines)).toEqual(["prevented"]);
  expect(field.current()).toMatchObject({ words: "", context: [lines] });
  expect(field.current().announcement).not.toBe("");
});

it("takes a text that was copied in this field for the owner's words", () => {
  const { field, element, paste } = openField();
  Object.assign(element, { value: `${lines}!`, selectionStart: 0, selectionEnd: lines.length });
  field.act(({ handlers }) => handlers.onCopy());
  expect(paste(lines)).toEqual([]);
  expect(field.current().pasted).toEqual([]);
});

it("takes a dropped text apart, except one that was dragged from this field, or files", () => {
  const { field, drop } = openField();
  field.act(({ handlers }) => handlers.onDragStart());
  expect(drop(lines)).toEqual(["stopped"]);
  field.act(({ handlers }) => handlers.onDragEnd());
  expect(drop(lines, [{}])).toEqual([]);
  expect(field.current().pasted).toEqual([]);
  expect(drop(lines)).toEqual(["stopped", "prevented"]);
  expect(field.current().context).toEqual([lines]);
});

it("moves a pasted text into the words when the owner says that it is theirs", () => {
  const { field, focused, paste } = openField();
  field.act(({ setWords }) => setWords("Send this:"));
  paste(lines);
  field.act(({ own, pasted }) => own(pasted[0]!));
  expect(field.current()).toMatchObject({ words: `Send this:\n${lines}`, pasted: [] });
  expect(field.current().announcement).toBe(texts.pasted.nowWords);
  expect(focused).toHaveLength(1);
});

it("removes only the chosen text, and clears everything", () => {
  const { field, paste } = openField();
  paste(lines);
  paste(`${lines}\nMore.`);
  field.act(({ remove, pasted }) => remove(pasted[0]!));
  expect(field.current().context).toEqual([`${lines}\nMore.`]);
  expect(field.current().announcement).toBe(texts.pasted.removed);
  field.act(({ setWords }) => setWords("words"));
  field.act(({ clear }) => clear());
  expect(field.current()).toMatchObject({ words: "", context: undefined, announcement: "" });
});

it("adds a line that was dropped beside the field to the words", () => {
  const { field } = openField();
  field.act(({ addDropped }) => addDropped(""));
  field.act(({ addDropped }) => addDropped("one line"));
  expect(field.current()).toMatchObject({ words: "one line", pasted: [] });
  field.act(({ addDropped }) => addDropped(lines));
  expect(field.current()).toMatchObject({ words: "one line", context: [lines] });
});
