import type { SkillState } from "@bron/protocol";
import { cx } from "../ui/cx.ts";
import { skillsWords } from "../words/skills.ts";

const looks: Readonly<Record<SkillState, string>> = {
  accepted: "border-edge text-quiet",
  changed: "border-ask-edge text-ink",
  new: "border-ask-edge text-ink",
};

export function SkillBadge({ state }: { readonly state: SkillState }) {
  return (
    <span
      className={cx("rounded-full border px-2.5 py-0.5 text-xs whitespace-nowrap", looks[state])}
    >
      {skillsWords.states[state]}
    </span>
  );
}
