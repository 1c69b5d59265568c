import { cx } from "./cx.ts";
import { useEffect, useId, useRef, type ReactNode } from "react";

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** "wide" is for the content of files. */
  readonly width?: "text" | "wide";
  onClose(): void;
  readonly children: ReactNode;
}

/** The browser's own dialog traps the focus, closes on Escape and restores the focus afterwards. */
export function Dialog({ title, isOpen, width = "text", onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    if (isOpen && dialog.current?.open === false) dialog.current.showModal();
    if (!isOpen) dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onClose={onClose}
      // Close on pointer down, because a text selection that ends outside must not close a form.
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
      className={cx(
        "m-auto rounded-2xl border border-edge bg-surface p-0 text-ink shadow-2xl backdrop:bg-black/40",
        width === "wide" ? "w-[min(56rem,calc(100vw-2rem))]" : "w-[min(34rem,calc(100vw-2rem))]",
      )}
    >
      {isOpen && (
        <div className="p-5 sm:p-6">
          <h2 id={heading} className="m-0 mb-4 text-lg font-semibold wrap-anywhere">
            {title}
          </h2>
          {children}
        </div>
      )}
    </dialog>
  );
}
