import { visible, type SkillFileChange } from "@bron/protocol";
import { cx } from "../ui/cx.ts";
import { skillsWords } from "../words/skills.ts";

type Kind = SkillFileChange["lines"][number]["kind"];

const looks: Readonly<Record<Kind, readonly [mark: string, look: string]>> = {
  same: [" ", "text-quiet"],
  added: ["+", "bg-good-soft text-ink"],
  removed: ["−", "bg-bad-soft text-ink"],
  gap: ["", "text-quiet"],
};

/** The changed lines of each file. The mark says the same as the color. */
export function SkillChanges({ changes }: { readonly changes: readonly SkillFileChange[] }) {
  return (
    <ul className="grid gap-4">
      {changes.map(({ path, change, lines }) => (
        <li key={path} className="min-w-0">
          <p className="mb-1 text-sm font-medium wrap-anywhere">
            {visible(path)}{" "}
            <span className="font-normal text-quiet">{skillsWords.fileChanges[change]}</span>
          </p>
          {lines.length > 0 && (
            <pre className="m-0 overflow-x-auto rounded-lg border border-edge py-2 text-xs whitespace-pre-wrap wrap-anywhere">
              {lines.map(({ kind, text }, index) => {
                const [mark, look] = looks[kind];
                return (
                  <span key={index} className={cx("block px-3", look)}>
                    {kind === "gap" ? skillsWords.gap : `${mark} ${visible(text)}`}
                  </span>
                );
              })}
            </pre>
          )}
        </li>
      ))}
    </ul>
  );
}
