import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { cx } from "./cx.ts";

type ButtonKind = "main" | "plain" | "chosen" | "quiet" | "danger";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind;
  /**
   * The action is running and a press does nothing. Unlike a disabled button it keeps the focus.
   */
  readonly isBusy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly children: ReactNode;
}

const kinds: Readonly<Record<ButtonKind, string>> = {
  main: "border-accent bg-accent text-on-accent hover:brightness-110",
  plain: "border-edge bg-surface text-ink hover:bg-raised",
  chosen: "border-accent bg-accent-soft text-accent",
  quiet: "border-transparent bg-transparent text-quiet hover:bg-raised hover:text-ink",
  danger: "border-edge bg-surface text-bad hover:bg-bad-soft",
};

/** The classes of a button, also for links that look like one. */
export function buttonClass(kind: ButtonKind = "plain"): string {
  return cx(
    "inline-flex items-center justify-center gap-2 rounded-lg border px-3.5 py-2 text-sm font-medium no-underline transition-colors disabled:cursor-default disabled:opacity-50 aria-disabled:cursor-default aria-disabled:opacity-50 min-h-10",
    kinds[kind],
  );
}

export function Button({
  kind = "plain",
  type = "button",
  isBusy = false,
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      aria-disabled={isBusy || undefined}
      className={cx(buttonClass(kind), className)}
      onClick={isBusy ? undefined : onClick}
      {...rest}
    >
      {children}
    </button>
  );
}
