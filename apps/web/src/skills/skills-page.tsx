import { skillTitle, visible, type SkillProblem, type SkillView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { texts } from "../texts.ts";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { skillsWords } from "../words/skills.ts";
import { useAddSkill } from "./add-skill.tsx";
import { skillQueries } from "./skill-queries.ts";
import { SkillBadge } from "./skill-badge.tsx";

/** All skills, those that wait for a review first. */
export function SkillsPage() {
  const { data, error, isPending, refetch } = useQuery(skillQueries.all());
  const add = useAddSkill();
  const skills = data?.skills.toSorted(
    (a, b) => Number(a.state === "accepted") - Number(b.state === "accepted"),
  );
  return (
    <Page title={texts.places.skills} about={skillsWords.about} width="wide" actions={add.button}>
      {add.problem}
      {isPending && <Loading />}
      <Problem error={error} onRetry={() => void refetch()} />
      <div className="grid grid-cols-1 gap-5">
        {skills?.length === 0 && <Empty title={skillsWords.none}>{skillsWords.noneHint}</Empty>}
        {skills && skills.length > 0 && (
          <ul className="grid gap-4 md:grid-cols-2">
            {skills.map((skill) => (
              <SkillCard key={skill.name} skill={skill} />
            ))}
          </ul>
        )}
        {data && data.problems.length > 0 && <Problems problems={data.problems} />}
      </div>
    </Page>
  );
}

function SkillCard({ skill }: { readonly skill: SkillView }) {
  const shown = skill.proposed ?? skill.accepted;
  if (!shown) return null;
  return (
    <li className="relative grid content-start gap-2 rounded-xl border border-edge bg-surface p-4 hover:border-accent sm:p-5">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h2 className="m-0 min-w-0 text-base font-semibold wrap-anywhere">
          <Link
            to="/skills/$skillName"
            params={{ skillName: skill.name }}
            className="text-ink no-underline after:absolute after:inset-0"
          >
            {visible(skillTitle(skill.name))}
          </Link>
        </h2>
        <SkillBadge state={skill.state} />
      </div>
      <p className="line-clamp-3 text-sm wrap-anywhere text-quiet">
        {visible(shown.version.description)}
      </p>
      <p className="text-xs text-quiet">{skillsWords.sources[shown.source]}</p>
    </li>
  );
}

/** Folders with a skill that has a mistake, with the place of the mistake. */
function Problems({ problems }: { readonly problems: readonly SkillProblem[] }) {
  return (
    <Panel title={skillsWords.problems} tone="bad">
      <ul className="grid gap-3 text-sm">
        {problems.map(({ place, file, line, message }, index) => (
          <li key={index} className="min-w-0">
            <p className="font-medium wrap-anywhere">{visible(place)}</p>
            <p className="wrap-anywhere">
              {line === null ? visible(file) : skillsWords.line(visible(file), line)}:{" "}
              {visible(message)}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
