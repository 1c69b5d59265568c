import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { Found } from "../tasks/found.tsx";
import { texts } from "../texts.ts";
import { cx } from "../ui/cx.ts";
import { usePaletteChoices, type Choice } from "./palette-choices.ts";

interface PaletteProps {
  readonly isOpen: boolean;
  onClose(): void;
  onShortcuts(): void;
}

/** Finds tasks, Brons, pages and commands by a few letters. */
export function Palette({ isOpen, onClose, onShortcuts }: PaletteProps) {
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
      className="mx-auto mt-[12vh] w-[min(38rem,calc(100vw-2rem))] overflow-hidden rounded-xl border border-edge bg-surface p-0 text-ink shadow-2xl backdrop:bg-black/40"
    >
      {isOpen && <Choices close={onClose} onShortcuts={onShortcuts} />}
    </dialog>
  );
}

function Choices({ close, onShortcuts }: { close(): void; onShortcuts(): void }) {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const list = useId();
  const { groups, isSearching } = usePaletteChoices({ typed, onShortcuts });
  const all = groups.flatMap(({ choices }) => choices);
  const current = Math.min(at, all.length - 1);
  useEffect(() => {
    document.getElementById(`${list}-${current}`)?.scrollIntoView({ block: "nearest" });
  }, [list, current]);
  const choose = (choice: Choice | undefined) => {
    if (!choice) return;
    close();
    choice.go();
  };
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setAt((current + step + all.length) % Math.max(1, all.length));
    else if (event.key === "Enter") choose(all[current]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={all[current] ? `${list}-${current}` : undefined}
        aria-label={texts.palette.placeholder}
        placeholder={texts.palette.placeholder}
        autoFocus
        maxLength={200}
        value={typed}
        onKeyDown={move}
        onChange={({ target }) => {
          setTyped(target.value);
          setAt(0);
        }}
        className="w-full border-0 border-b border-edge bg-transparent px-4 py-3.5 text-base outline-none"
      />
      <div
        role="listbox"
        id={list}
        aria-label={texts.palette.title}
        aria-busy={isSearching}
        className="max-h-[min(26rem,60dvh)] overflow-y-auto p-2"
      >
        {groups.map((group) => (
          <div key={group.title} role="group" aria-label={group.title} className="mb-1 last:mb-0">
            <p aria-hidden="true" className="px-3 pt-2 pb-1 text-xs font-medium text-quiet">
              {group.title}
            </p>
            {group.choices.map((choice) => {
              const index = all.indexOf(choice);
              return (
                <Option
                  key={choice.key}
                  id={`${list}-${index}`}
                  choice={choice}
                  typed={typed}
                  isCurrent={index === current}
                  onPoint={() => setAt(index)}
                  onChoose={() => choose(choice)}
                />
              );
            })}
          </div>
        ))}
      </div>
      {all.length === 0 && <NothingFound typed={typed} isSearching={isSearching} />}
    </>
  );
}

function NothingFound({
  typed,
  isSearching,
}: {
  readonly typed: string;
  readonly isSearching: boolean;
}) {
  return (
    <p role="status" className="px-5 pt-1 pb-6 text-center text-quiet">
      {isSearching ? (
        texts.loading
      ) : (
        <>
          <span className="block font-medium text-ink">{texts.palette.nothing(typed)}</span>
          {texts.palette.nothingHint}
        </>
      )}
    </p>
  );
}

interface OptionProps {
  readonly id: string;
  readonly choice: Choice;
  readonly typed: string;
  readonly isCurrent: boolean;
  onPoint(): void;
  onChoose(): void;
}

function Option({ id, choice, typed, isCurrent, onPoint, onChoose }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={isCurrent}
      onClick={onChoose}
      onMouseMove={onPoint}
      className={cx("cursor-pointer rounded-lg px-3 py-2", isCurrent && "bg-raised")}
    >
      <span className="block truncate">
        <Found text={choice.name} words={typed} />
      </span>
      {choice.hint !== undefined && (
        <span className="block truncate text-sm text-quiet">
          <Found text={choice.hint} words={typed} />
        </span>
      )}
    </div>
  );
}
