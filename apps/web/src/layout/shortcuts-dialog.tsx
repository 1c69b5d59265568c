import { isMac } from "../platform.ts";
import { texts } from "../texts.ts";
import { Dialog } from "../ui/dialog.tsx";

const words = texts.shell.shortcuts;
const mod = isMac ? "⌘" : "Ctrl";

const groups: readonly {
  readonly title: string;
  readonly keys: readonly (readonly [keys: readonly string[], what: string])[];
}[] = [
  {
    title: words.groups.everywhere,
    keys: [
      [[mod, "K"], words.search],
      [["n"], words.newTask],
      [["?"], words.help],
    ],
  },
  {
    title: words.groups.words,
    keys: [
      [["Enter"], words.send],
      [["Shift", "Enter"], words.newLine],
    ],
  },
  {
    title: words.groups.lists,
    keys: [
      [["/"], words.find],
      [["j"], words.next],
      [["k"], words.previous],
      [["Enter"], words.open],
    ],
  },
  {
    title: words.groups.approvals,
    keys: [
      [["a"], words.approve],
      [["e"], words.edit],
      [["r"], words.requestChanges],
      [["d"], words.deny],
    ],
  },
];

/** What each key does. "?" opens it. */
export function ShortcutsDialog({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  onClose(): void;
}) {
  return (
    <Dialog title={words.title} isOpen={isOpen} onClose={onClose}>
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3 className="m-0 mb-1.5 text-sm font-semibold text-quiet">{title}</h3>
            <dl className="grid gap-1 text-sm">
              {keys.map(([names, what]) => (
                <div key={what} className="flex items-center justify-between gap-3">
                  <dt>{what}</dt>
                  <dd className="flex gap-1">
                    {names.map((name) => (
                      <kbd
                        key={name}
                        className="rounded border border-edge bg-raised px-1.5 font-sans text-xs leading-5"
                      >
                        {name}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
