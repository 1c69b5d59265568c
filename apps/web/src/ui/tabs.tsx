import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

interface TabsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly tabs: readonly { readonly value: NoInfer<T>; readonly name: string }[];
  onChange(value: NoInfer<T>): void;
  readonly children: ReactNode;
}

/** Tabs of a page. `children` is the content of the selected tab. */
export function Tabs<T extends string>({ label, value, tabs, onChange, children }: TabsProps<T>) {
  return (
    <Radix.Root value={value} onValueChange={(chosen) => onChange(chosen as T)}>
      <Radix.List
        aria-label={label}
        className="mb-6 flex gap-1 overflow-x-auto border-b border-edge"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px rounded-none border-0 border-b-2 border-transparent bg-transparent px-3 py-2.5 text-sm whitespace-nowrap text-quiet -outline-offset-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
          >
            {tab.name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Radix.Content value={value} tabIndex={-1} className="outline-none">
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}
