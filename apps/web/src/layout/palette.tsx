import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { visible } from "@bron/protocol";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { cx } from "../ui/cx.ts";
import type { Place } from "./navigation.ts";

interface Choice {
  readonly key: string;
  readonly name: string;
  readonly hint: string;
  go(): void;
}

interface PaletteProps {
  readonly places: readonly Place[];
  readonly isOpen: boolean;
  onClose(): void;
}

/** Finds pages and recent tasks by a few letters. */
export function Palette({ places, isOpen, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen && dialog.current?.open === false) dialog.current.showModal();
    if (!isOpen) dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      aria-label={texts.palette.title}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className="mx-auto mt-[12vh] w-[min(36rem,calc(100vw-2rem))] rounded-xl border border-edge bg-surface p-0 text-ink shadow-2xl backdrop:bg-black/40"
    >
      {isOpen && <Choices places={places} close={onClose} />}
    </dialog>
  );
}

function Choices({
  places,
  close,
}: {
  readonly places: readonly Place[];
  readonly close: () => void;
}) {
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const list = useId();
  const navigate = useNavigate();
  const { data: runs = [] } = useQuery(queries.runs({ limit: 50 }));
  const all: Choice[] = [
    ...places.map(({ to, name }) => ({
      key: to,
      name,
      hint: texts.palette.page,
      go: () => void navigate({ to }),
    })),
    ...runs.map(({ id, title, parentRunId }) => ({
      key: id,
      name: visible(title),
      hint: parentRunId === null ? texts.palette.task : texts.palette.subtask,
      go: () => void navigate({ to: "/runs/$runId", params: { runId: id } }),
    })),
  ];
  const found = all
    .filter(({ name }) =>
      words
        .toLowerCase()
        .split(/\s+/)
        .every((word) => name.toLowerCase().includes(word)),
    )
    .slice(0, 12);
  const choose = (choice: Choice | undefined) => {
    if (!choice) return;
    close();
    choice.go();
  };
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setAt((before) => (before + step + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter") choose(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={found[at] ? `${list}-${at}` : undefined}
        aria-label={texts.palette.placeholder}
        placeholder={texts.palette.placeholder}
        autoFocus
        value={words}
        onKeyDown={move}
        onChange={({ target }) => {
          setWords(target.value);
          setAt(0);
        }}
        className="w-full border-0 border-b border-edge bg-transparent px-4 py-3.5 text-base outline-none"
      />
      <ul
        role="listbox"
        id={list}
        aria-label={texts.palette.title}
        className="max-h-80 overflow-y-auto p-2"
      >
        {found.map((choice, index) => (
          <li
            key={choice.key}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => choose(choice)}
            onMouseMove={() => setAt(index)}
            className={cx(
              "flex cursor-pointer items-baseline gap-3 rounded-lg px-3 py-2",
              index === at && "bg-raised",
            )}
          >
            <span className="truncate">{choice.name}</span>
            <span className="ml-auto shrink-0 text-xs text-quiet">{choice.hint}</span>
          </li>
        ))}
        {found.length === 0 && <li className="px-3 py-4 text-quiet">{texts.palette.nothing}</li>}
      </ul>
    </>
  );
}
