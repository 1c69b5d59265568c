import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { cx } from "./cx.ts";
import { buttonClass } from "./button.tsx";

export type MenuItem = { readonly name: string; readonly isDanger?: boolean } & (
  | { run(): void }
  /** A download. */
  | { readonly href: string }
);

interface MenuProps {
  readonly label: string;
  /** Shown in place of the dots, where there is room. */
  readonly text?: string;
  readonly items: readonly MenuItem[];
}

/** A button with three dots, or with a text, that opens a list of actions. */
export function Menu({ label, text, items }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useId();
  const entries = () => [...(root.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    entries()[0]?.focus();
    const onOutside = ({ target }: Event) => {
      if (target instanceof Node && root.current?.contains(target) === false) setOpen(false);
    };
    addEventListener("pointerdown", onOutside);
    addEventListener("focusin", onOutside);
    return () => {
      removeEventListener("pointerdown", onOutside);
      removeEventListener("focusin", onOutside);
    };
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    const all = entries();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const target = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (event.key === "Escape") close();
    else if (target !== undefined) all[target]?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <div ref={root} className="relative shrink-0">
      <button
        ref={button}
        type="button"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? list : undefined}
        onClick={() => setOpen(!isOpen)}
        className={cx(
          buttonClass("quiet"),
          text === undefined ? "size-10 !p-0" : "max-sm:!p-0 max-sm:size-10",
        )}
      >
        <Look text={text} />
      </button>
      {isOpen && (
        <div
          id={list}
          role="menu"
          aria-label={label}
          onKeyDown={onKeyDown}
          className="arrive absolute top-full right-0 z-30 mt-1 grid min-w-44 rounded-xl border border-edge bg-surface p-1 shadow-lg"
        >
          {items.map((item) => (
            <Entry key={item.name} item={item} close={close} />
          ))}
        </div>
      )}
    </div>
  );
}

/** A phone has no room for the text. */
function Look({ text }: { readonly text: string | undefined }) {
  return (
    <>
      {text !== undefined && <span className="max-sm:hidden">{text}</span>}
      <svg
        aria-hidden="true"
        viewBox="0 0 24 24"
        className={cx("size-5", text !== undefined && "sm:hidden")}
        fill="currentColor"
      >
        <circle cx="5" cy="12" r="1.8" />
        <circle cx="12" cy="12" r="1.8" />
        <circle cx="19" cy="12" r="1.8" />
      </svg>
    </>
  );
}

function Entry({ item, close }: { readonly item: MenuItem; close(): void }) {
  const look = cx(
    "flex min-h-10 items-center rounded-lg border-0 bg-transparent px-3 text-start text-sm no-underline outline-none hover:bg-raised focus:bg-raised",
    item.isDanger === true ? "text-bad" : "text-ink",
  );
  if ("href" in item)
    return (
      <a role="menuitem" tabIndex={-1} href={item.href} download onClick={close} className={look}>
        {item.name}
      </a>
    );
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      onClick={() => {
        close();
        item.run();
      }}
      className={look}
    >
      {item.name}
    </button>
  );
}
