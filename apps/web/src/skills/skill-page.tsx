import { ClientError } from "@bron/client";
import {
  skillFileName,
  skillTitle,
  visible,
  type PlacedSkillVersion,
  type SkillReview,
} from "@bron/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { api } from "../api.ts";
import { Markdown } from "../run/markdown.tsx";
import { texts } from "../texts.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";
import { toolPhrase } from "../words/tools.ts";
import { skillsWords } from "../words/skills.ts";
import { SkillBadge } from "./skill-badge.tsx";
import { SkillChanges } from "./skill-changes.tsx";
import { skillQueries } from "./skill-queries.ts";

/** One skill: what it says, what it may use, and what has changed since it was accepted. */
export function SkillPage() {
  const { skillName } = useParams({ from: "/skills/$skillName" });
  const { data, error, isPending, refetch } = useQuery(skillQueries.one(skillName));
  const shown = data?.skill.proposed ?? data?.skill.accepted;
  if (data && shown) return <OneSkill key={skillName} review={data} shown={shown} />;
  if (ClientError.is(error, "not_found"))
    return (
      <Page title={skillsWords.missing} about={texts.missingHint}>
        <Link to="/skills" className={buttonClass("main")}>
          {skillsWords.backToAll}
        </Link>
      </Page>
    );
  return (
    <Page title={texts.places.skills}>
      {isPending && <Loading />}
      <Problem error={error} onRetry={() => void refetch()} />
    </Page>
  );
}

interface ShownReview {
  readonly review: SkillReview;
  readonly shown: PlacedSkillVersion;
}

function OneSkill({ review, shown }: ShownReview) {
  const { skill, texts: files, changes } = review;
  const title = visible(skillTitle(skill.name));
  return (
    <Page
      title={title}
      about={visible(shown.version.description)}
      actions={<SkillBadge state={skill.state} />}
    >
      <div className="grid grid-cols-1 gap-5">
        <p className="-mt-2 text-sm">
          <Link to="/skills">{skillsWords.backToAll}</Link>
        </p>
        <Decide review={review} shown={shown} title={title} />
        <MayUse review={review} shown={shown} />
        {changes && (
          <Panel title={skillsWords.changes}>
            <SkillChanges changes={changes} />
          </Panel>
        )}
        <Panel title={skillsWords.text}>
          <Markdown text={withoutFrontMatter(textOf(files, skillFileName))} />
        </Panel>
        <OtherFiles review={review} shown={shown} />
      </div>
    </Page>
  );
}

/** The buttons, with what a press means. */
function Decide({ review: { skill }, shown, title }: ShownReview & { readonly title: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { ask, dialog } = useConfirm();
  const params = { name: skill.name };
  const refresh = () => client.invalidateQueries({ queryKey: ["skills"] });
  const accept = useMutation({
    mutationFn: () =>
      api.call("POST /api/skills/:name/accept", {
        params,
        body: { digest: shown.version.digest },
      }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: () => api.call("DELETE /api/skills/:name", { params }),
    async onSuccess() {
      await navigate({ to: "/skills" });
      await refresh();
    },
  });
  const { state, acceptedAt } = skill;
  return (
    <Panel tone={state === "accepted" ? "plain" : "ask"} label={skillsWords.states[state]}>
      <Refused error={accept.error ?? remove.error} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 flex-1 basis-64 text-sm">
          <p>{state === "accepted" ? acceptedWords(acceptedAt) : skillsWords.review[state]}</p>
          <p className="mt-1 text-quiet wrap-anywhere">
            {skillsWords.sources[shown.source]}
            {shown.place !== null && `: ${visible(shown.place)}`}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {state !== "new" || shown.source === "added" ? (
            <Button
              kind="danger"
              isBusy={remove.isPending}
              onClick={() =>
                ask({ ...skillsWords.sureRemove(title), onYes: () => remove.mutate() })
              }
            >
              {skillsWords.remove}
            </Button>
          ) : null}
          {state !== "accepted" && (
            <Button kind="main" isBusy={accept.isPending} onClick={() => accept.mutate()}>
              {accept.isPending
                ? skillsWords.accepting
                : state === "changed"
                  ? skillsWords.acceptVersion
                  : skillsWords.accept}
            </Button>
          )}
        </div>
      </div>
      {dialog}
    </Panel>
  );
}

function acceptedWords(acceptedAt: string | null): string {
  if (acceptedAt === null) return skillsWords.accepted;
  const day = new Date(acceptedAt).toLocaleDateString(texts.language, { dateStyle: "medium" });
  return skillsWords.acceptedOn(day);
}

function MayUse({ review: { unknownTools }, shown: { version } }: ShownReview) {
  const { allowedTools, compatibility, license, files, warnings } = version;
  const known = (allowedTools ?? []).filter((name) => !unknownTools.includes(name));
  const scripts = files.filter(({ kind }) => kind === "script").length;
  const list = (names: readonly string[]) =>
    names.map((name) => visible(toolPhrase(name))).join(", ");
  const lines = [
    allowedTools === null
      ? skillsWords.allTools
      : known.length === 0
        ? skillsWords.noTools
        : skillsWords.onlyTools(list(known)),
    ...(unknownTools.length > 0
      ? [skillsWords.unknownTools(unknownTools.map((name) => visible(name)).join(", "))]
      : []),
    ...(scripts > 0 ? [skillsWords.scripts(scripts)] : []),
    ...(compatibility === null ? [] : [skillsWords.needs(visible(compatibility))]),
    ...(license === null ? [] : [skillsWords.license(visible(license))]),
    ...warnings.map((warning) => visible(warning)),
  ];
  return (
    <Panel title={skillsWords.mayUse}>
      <ul className="grid list-disc gap-1 pl-5 text-sm wrap-anywhere">
        {lines.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Panel>
  );
}

function OtherFiles({ review: { texts: files }, shown: { version } }: ShownReview) {
  const others = version.files.filter(({ path }) => path !== skillFileName);
  if (others.length === 0) return null;
  return (
    <Panel title={skillsWords.files}>
      <ul className="grid gap-2">
        {others.map(({ path, kind }) => (
          <li key={path} className="min-w-0 text-sm">
            {kind === "binary" ? (
              <p className="wrap-anywhere">
                {visible(path)} <span className="text-quiet">{skillsWords.kinds[kind]}</span>
              </p>
            ) : (
              <details>
                <summary className="cursor-pointer wrap-anywhere">
                  {visible(path)} <span className="text-quiet">{skillsWords.kinds[kind]}</span>
                </summary>
                <pre className="mt-2 max-h-96 overflow-auto rounded-lg border border-edge p-3 text-xs whitespace-pre-wrap wrap-anywhere">
                  {visible(textOf(files, path))}
                </pre>
              </details>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const textOf = (files: SkillReview["texts"], wanted: string) =>
  files.find(({ path }) => path === wanted)?.text ?? "";

/** The page shows its fields above. */
function withoutFrontMatter(text: string): string {
  const lines = text.split("\n");
  const end = lines.findIndex((line, index) => index > 0 && /^---\s*$/.test(line));
  return visible(lines.slice(end + 1).join("\n"));
}
