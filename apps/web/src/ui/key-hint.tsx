/** The single-key shortcut of a button. Phones have no room for it. */
export function KeyHint({ name }: { readonly name: string }) {
  return (
    <kbd
      aria-hidden="true"
      className="hidden rounded border border-current px-1 text-[0.7rem] leading-4 font-normal opacity-70 sm:inline"
    >
      {name}
    </kbd>
  );
}
