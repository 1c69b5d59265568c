import { skillTitle, visible, type BronView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { skillQueries } from "../skills/skill-queries.ts";
import { Choices } from "../ui/choices.tsx";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { skillsWords } from "../words/skills.ts";
import { useChangedBron } from "./use-changed-bron.ts";

const words = skillsWords.bron;

/** Which of the accepted skills this Bron has. */
export function BronSkills({ bron }: { readonly bron: BronView }) {
  const { data, error, isPending, refetch } = useQuery(skillQueries.all());
  const change = useChangedBron(bron.id);
  const accepted = data?.skills.filter((skill) => skill.accepted !== null) ?? [];
  const known = accepted.map(({ name }) => name);
  const chosen = new Set(bron.skills ?? known);
  const set = (skill: string, isChosen: boolean) =>
    change.mutate({
      skills: [...new Set([...known, ...chosen])].filter((name) =>
        name === skill ? isChosen : chosen.has(name),
      ),
    });
  return (
    <div className="grid grid-cols-1 gap-5">
      <p className="text-quiet">{words.about}</p>
      {isPending && <Loading />}
      <Problem error={error} onRetry={() => void refetch()} />
      <Refused error={change.error} />
      {data && accepted.length === 0 && (
        <Empty title={words.none}>
          <Link to="/skills">{words.look}</Link>
        </Empty>
      )}
      {accepted.length > 0 && (
        <Panel title={words.choice}>
          <Choices
            label={words.choice}
            value={bron.skills === null ? "all" : "some"}
            options={[
              { value: "all", name: words.all },
              { value: "some", name: words.some },
            ]}
            onChange={(value) => change.mutate({ skills: value === "all" ? null : [...known] })}
          />
          <p className="mt-2 text-sm text-quiet">
            {bron.skills === null ? words.allAbout : words.someAbout}
          </p>
          <ul className="mt-4 divide-y divide-edge border-t border-edge">
            {accepted.map(({ name, accepted: placed }) => (
              <li key={name} className="py-3 last:pb-0">
                <label className="flex cursor-pointer items-start gap-3 text-sm">
                  <input
                    type="checkbox"
                    className="mt-0.5 size-4 shrink-0 accent-accent"
                    checked={chosen.has(name)}
                    onChange={({ target }) => set(name, target.checked)}
                  />
                  <span className="min-w-0">
                    <span className="font-medium">{visible(skillTitle(name))}</span>
                    <span className="mt-0.5 line-clamp-2 block wrap-anywhere text-quiet">
                      {visible(placed?.version.description ?? "")}
                    </span>
                  </span>
                </label>
              </li>
            ))}
          </ul>
          <p className="mt-4 text-sm">
            <Link to="/skills">{words.look}</Link>
          </p>
        </Panel>
      )}
    </div>
  );
}
