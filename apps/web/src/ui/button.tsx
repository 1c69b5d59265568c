import type { ButtonHTMLAttributes, ReactNode } from "react";
import { cx } from "./cx.ts";

export type ButtonKind = "main" | "plain" | "quiet" | "danger";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind;
  readonly children: ReactNode;
}

const kinds: Readonly<Record<ButtonKind, string>> = {
  main: "border-accent bg-accent text-on-accent hover:brightness-110",
  plain: "border-edge bg-surface text-ink hover:bg-raised",
  quiet: "border-transparent bg-transparent text-quiet hover:bg-raised hover:text-ink",
  danger: "border-edge bg-surface text-bad hover:bg-bad-soft",
};

/** What a button looks like, for links that look like one too. */
export function buttonClass(kind: ButtonKind = "plain"): string {
  return cx("inline-flex items-center justify-center gap-2 rounded-lg border px-3.5 py-2 text-sm font-medium no-underline transition-colors disabled:cursor-default disabled:opacity-50 min-h-10", kinds[kind]);
}

export function Button({ kind = "plain", type = "button", className, children, ...rest }: ButtonProps) {
  return (
    <button type={type} className={cx(buttonClass(kind), className)} {...rest}>
      {children}
    </button>
  );
}
