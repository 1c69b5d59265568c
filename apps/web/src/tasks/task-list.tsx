import type { ReactNode } from "react";

export function TaskList({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}) {
  return (
    <ul
      aria-label={label}
      className="divide-y divide-edge rounded-xl border border-edge bg-surface"
    >
      {children}
    </ul>
  );
}
