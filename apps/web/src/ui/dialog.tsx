import { useEffect, useId, useRef, type ReactNode } from "react";

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  onClose(): void;
  readonly children: ReactNode;
}

/** The browser's own dialog traps the focus, closes on Escape and restores the focus afterwards. */
export function Dialog({ title, isOpen, onClose, children }: DialogProps) {
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
      className="m-auto w-[min(34rem,calc(100vw-2rem))] rounded-2xl border border-edge bg-surface p-0 text-ink shadow-2xl backdrop:bg-black/40"
    >
      {isOpen && (
        <div className="p-5 sm:p-6">
          <h2 id={heading} className="m-0 mb-4 text-lg font-semibold">
            {title}
          </h2>
          {children}
        </div>
      )}
    </dialog>
  );
}
