import { useId, type ReactNode } from "react";
import { cx } from "./cx.ts";

/** Of text fields and selects alike, as wide as what is in them. */
export const boxClass =
  "min-h-10 max-w-full rounded-lg border border-edge bg-surface px-3 py-2 text-base text-ink placeholder:text-quiet sm:text-sm";
export const inputClass = `${boxClass} w-full`;

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly className?: string;
  children(ids: {
    readonly id: string;
    readonly "aria-describedby": string | undefined;
  }): ReactNode;
}

/** Its name above, what to know about it below. */
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
