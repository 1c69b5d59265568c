import { useId, type ReactNode } from "react";
import { cx } from "./cx.ts";

/** Shared by text fields and selects. As wide as their content. */
export const boxClass =
  "min-h-10 max-w-full rounded-lg border border-edge bg-surface px-3 py-2 text-base text-ink placeholder:text-quiet sm:text-sm";
export const inputClass = `${boxClass} w-full`;

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly className?: string;
  children(ids: {
    readonly id: string;
    readonly "aria-describedby": string | undefined;
  }): ReactNode;
}

/** A form field with its label above and its hint below. */
export function Field({ label, hint, className, children }: FieldProps) {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  return (
    <div className={cx("min-w-0", className)}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      {children({ id, "aria-describedby": hintId })}
      {hint !== undefined && (
        <p id={hintId} className="mt-1 text-sm text-quiet">
          {hint}
        </p>
      )}
    </div>
  );
}
