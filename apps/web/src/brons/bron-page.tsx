import { ClientError } from "@bron/client";
import { visible, type BronView } from "@bron/protocol";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Composer } from "../home/composer.tsx";
import { RunList } from "../home/run-list.tsx";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { bronsWords } from "../words/brons.ts";
import { Avatar } from "../ui/avatar.tsx";
import { RunBadge, StatusBadge } from "../ui/badge.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { BronMenu } from "./bron-menu.tsx";
import { RestoreButton } from "./restore-button.tsx";
import { BronSettings } from "./bron-settings.tsx";
import { BronSkills } from "./bron-skills.tsx";
import { BronTools } from "./bron-tools.tsx";

const tabs = ["tasks", "settings", "skills", "tools"] as const;

export function BronPage() {
  const { bronId } = useParams({ from: "/brons/$bronId" });
  const bron = useQuery(queries.bron(bronId));
  if (bron.data) return <OneBron key={bronId} bron={bron.data} />;
  // A retry cannot help when the Bron does not exist.
  if (ClientError.is(bron.error, "not_found")) return <NoSuchBron />;
  return (
    <Page title={texts.places.brons}>
      {bron.isPending && <Loading />}
      <Problem error={bron.error} onRetry={() => void bron.refetch()} />
      <Link to="/brons">{bronsWords.backToAll}</Link>
    </Page>
  );
}

function NoSuchBron() {
  return (
    <Page title={bronsWords.none} about={texts.missingHint}>
      <Link to="/brons" className={buttonClass("main")}>
        {bronsWords.backToAll}
      </Link>
    </Page>
  );
}

function OneBron({ bron }: { readonly bron: BronView }) {
  const [tab, setTab] = useState<(typeof tabs)[number]>("tasks");
  const actions = (
    <>
      {bron.status !== "idle" && bron.latestRun ? (
        <RunBadge run={bron.latestRun} />
      ) : (
        <StatusBadge status={bron.status} />
      )}
      {bron.pendingApprovals > 0 && (
        <Link to="/approvals">{bronsWords.pending(bron.pendingApprovals)}</Link>
      )}
      {bron.archivedAt !== null && <RestoreButton bron={bron} />}
      <BronMenu bron={bron} />
    </>
  );
  return (
    <Page
      title={visible(bron.name)}
      lead={<Avatar name={bron.name} color={bron.avatarColor} size="lg" />}
      {...(bron.isDefault
        ? { about: bronsWords.isDefault }
        : bron.archivedAt === null
          ? {}
          : { about: bronsWords.isArchived })}
      actions={actions}
    >
      <Tabs
        label={visible(bron.name)}
        value={tab}
        onChange={setTab}
        tabs={tabs.map((value) => ({ value, name: bronsWords.tabs[value] }))}
      >
        {tab === "tasks" && <BronTasks bron={bron} />}
        {tab === "settings" && <BronSettings bron={bron} />}
        {tab === "skills" && <BronSkills bron={bron} />}
        {tab === "tools" && <BronTools bron={bron} />}
      </Tabs>
    </Page>
  );
}

function BronTasks({ bron: { id: bronId, archivedAt } }: { readonly bron: BronView }) {
  const runs = useInfiniteQuery(queries.bronRuns(bronId));
  const all = runs.data?.pages.flatMap((page) => page.runs) ?? [];
  return (
    <>
      {archivedAt === null && <Composer suggestions={[]} bronId={bronId} />}
      <section aria-labelledby="tasks" className="mt-8">
        <h2 id="tasks" className="m-0 mb-2 text-sm font-semibold text-quiet">
          {texts.allRuns}
        </h2>
        {runs.isPending && <Loading />}
        <Problem error={runs.error} onRetry={() => void runs.refetch()} />
        {runs.data && all.length === 0 && (
          <Empty title={bronsWords.noTask}>{bronsWords.noTaskHint}</Empty>
        )}
        {all.length > 0 && <RunList runs={all} />}
        {runs.hasNextPage && (
          <div className="mt-4 text-center">
            <Button disabled={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
              {runs.isFetchingNextPage ? texts.loading : texts.more}
            </Button>
          </div>
        )}
      </section>
    </>
  );
}
