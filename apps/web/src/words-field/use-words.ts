import { describeText } from "@bron/protocol";
import {
  useEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type DragEvent,
  type RefObject,
} from "react";
import { texts } from "../texts.ts";
import { keepDraft, readDraft } from "./kept-draft.ts";
import { withOwnText, withPasted, type PastedText } from "./pasted-texts.ts";

type TextField = HTMLTextAreaElement | HTMLInputElement;

/** A field for words to a Bron, and the texts that came with them. */
export interface WordsField<Field extends TextField> {
  readonly words: string;
  readonly pasted: readonly PastedText[];
  /** What a request has beside the words. Undefined if there is none. */
  readonly context: string[] | undefined;
  /** For screen readers: what became of the last paste. */
  readonly announcement: string;
  readonly ref: RefObject<Field | null>;
  /** For the field itself. */
  readonly handlers: {
    onPaste(event: ClipboardEvent<Field>): void;
    onCopy(): void;
    onCut(): void;
    onDragStart(): void;
    onDragEnd(): void;
    onDrop(event: DragEvent): void;
  };
  setWords(words: string): void;
  /** A text that was dropped beside the field. */
  addDropped(text: string): void;
  /** The owner says that the text is theirs. */
  own(pasted: PastedText): void;
  remove(pasted: PastedText): void;
  clear(): void;
}

/**
 * The words of a field. More than a line that is pasted or dropped at once is kept beside them, until
 * the owner says that it is theirs. With a `draft` name, what was typed survives navigation and reload.
 */
export function useWords<Field extends TextField = HTMLTextAreaElement>(
  draft?: string,
): WordsField<Field> {
  const [words, setWords] = useState(() => readDraft(draft).words);
  const [pasted, setPasted] = useState<readonly PastedText[]>(() => readDraft(draft).pasted);
  useEffect(() => keepDraft(draft, { words, pasted }), [draft, words, pasted]);
  const [announcement, setAnnouncement] = useState("");
  const ref = useRef<Field>(null);
  const copiedHere = useRef("");
  const isDraggedHere = useRef(false);
  const noteCopied = () => (copiedHere.current = selectedIn(ref.current));
  /** Returns false if the text belongs to the words. */
  const keepApart = (text: string): boolean => {
    const next = withPasted(pasted, text, copiedHere.current);
    if (!next) return false;
    setPasted(next);
    setAnnouncement(texts.pasted.added(describeText(text)));
    return true;
  };
  const drop = ({ id }: PastedText, said: string) => {
    setPasted((before) => before.filter((other) => other.id !== id));
    setAnnouncement(said);
    ref.current?.focus();
  };
  return {
    words,
    pasted,
    context: pasted.length === 0 ? undefined : pasted.map(({ text }) => text),
    announcement,
    ref,
    handlers: {
      onPaste(event) {
        if (keepApart(event.clipboardData.getData("text/plain"))) event.preventDefault();
      },
      onCopy: noteCopied,
      onCut: noteCopied,
      onDragStart: () => void (isDraggedHere.current = true),
      onDragEnd: () => void (isDraggedHere.current = false),
      onDrop(event) {
        if (event.dataTransfer.files.length > 0) return;
        // The form around the field does nothing. The browser puts words where they were dropped.
        event.stopPropagation();
        if (!isDraggedHere.current && keepApart(event.dataTransfer.getData("text/plain")))
          event.preventDefault();
      },
    },
    setWords,
    addDropped(text) {
      if (text !== "" && !keepApart(text)) setWords((before) => withOwnText(before, text));
    },
    own(text) {
      setWords((before) => withOwnText(before, text.text));
      drop(text, texts.pasted.nowWords);
    },
    remove: (text) => drop(text, texts.pasted.removed),
    clear() {
      setWords("");
      setPasted([]);
      setAnnouncement("");
    },
  };
}

function selectedIn(field: TextField | null): string {
  return field?.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0) ?? "";
}
