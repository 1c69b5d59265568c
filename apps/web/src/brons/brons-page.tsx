import { bronStatuses, visible, type BronStatus, type BronView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Composer } from "../home/composer.tsx";
import { queries } from "../live/queries.ts";
import type { BronsSearch } from "../search.ts";
import { texts } from "../texts.ts";
import { bronsWords } from "../words/brons.ts";
import { Button } from "../ui/button.tsx";
import { Choices } from "../ui/choices.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Page } from "../ui/page.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { ArchivedBrons } from "./archived-brons.tsx";
import { BronCard } from "./bron-card.tsx";
import { ImportBron } from "./import-bron.tsx";
import { NewBronDialog } from "./new-bron-dialog.tsx";

/** All Brons and what each is doing, updated live. */
export function BronsPage() {
  const { status }: BronsSearch = useSearch({ from: "/brons" });
  const brons = useQuery(queries.brons());
  const [isMaking, setIsMaking] = useState(false);
  const [tasked, setTasked] = useState<BronView>();
  const shown = brons.data?.filter((bron) => status === undefined || bron.status === status);
  const make = (
    <>
      <ImportBron />
      <Button kind="main" onClick={() => setIsMaking(true)}>
        {bronsWords.create}
      </Button>
    </>
  );
  return (
    <Page title={texts.places.brons} about={bronsWords.about} width="wide" actions={make}>
      {brons.isPending && <Loading />}
      <Problem error={brons.error} onRetry={() => void brons.refetch()} />
      {brons.data && <StatusFilter brons={brons.data} chosen={status} />}
      {shown?.length === 0 && (
        <Empty title={bronsWords.noneWith(status === undefined ? "" : texts.status[status])}>
          {bronsWords.noneWithHint}
        </Empty>
      )}
      <ul className="grid gap-4 md:grid-cols-2">
        {shown?.map((bron) => (
          <BronCard key={bron.id} bron={bron} onNewTask={() => setTasked(bron)} />
        ))}
      </ul>
      <ArchivedBrons />
      <NewBronDialog isOpen={isMaking} onClose={() => setIsMaking(false)} />
      <Dialog
        title={bronsWords.newTaskFor(visible(tasked?.name ?? ""))}
        isOpen={tasked !== undefined}
        onClose={() => setTasked(undefined)}
      >
        {tasked && <Composer suggestions={[]} bronId={tasked.id} />}
      </Dialog>
    </Page>
  );
}

/** Offers only the statuses in use, and the selected one. */
function StatusFilter({
  brons,
  chosen,
}: {
  readonly brons: readonly BronView[];
  readonly chosen: BronStatus | undefined;
}) {
  const navigate = useNavigate({ from: "/brons" });
  const count = (status: BronStatus) => brons.filter((bron) => bron.status === status).length;
  const options = bronStatuses
    .filter((status) => status === chosen || count(status) > 0)
    .map((status) => ({ value: status, name: texts.status[status], count: count(status) }));
  return (
    <div className="mb-5">
      <Choices
        label={bronsWords.filter}
        value={chosen ?? "all"}
        options={[{ value: "all", name: bronsWords.all, count: brons.length }, ...options]}
        onChange={(value) =>
          void navigate({ search: value === "all" ? {} : { status: value }, replace: true })
        }
      />
    </div>
  );
}
