import { visible, type BronView } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { bronsWords } from "../words/brons.ts";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { Refused } from "../ui/refused.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";
import { saveFile } from "./save-file.ts";

const words = bronsWords;

/** What can be done with a Bron besides changing it. The default Bron is never archived. */
export function BronMenu({ bron }: { readonly bron: BronView }) {
  const { ask, dialog } = useConfirm();
  const navigate = useNavigate();
  const client = useQueryClient();
  const params = { id: bron.id };
  const refresh = () => client.invalidateQueries({ queryKey: ["brons"] });
  const duplicate = useMutation({
    mutationFn: () => api.call("POST /api/brons/:id/duplicate", { params, body: {} }),
    onSuccess(copy) {
      void refresh();
      void navigate({ to: "/brons/$bronId", params: { bronId: copy.id } });
    },
  });
  const archive = useMutation({
    mutationFn: () => api.call("POST /api/brons/:id/archive", { params, body: {} }),
    onSuccess(archived) {
      client.setQueryData(queries.bron(bron.id).queryKey, archived);
      void refresh();
      void navigate({ to: "/brons" });
    },
  });
  const download = useMutation({
    mutationFn: () => api.call("GET /api/brons/:id/export", { params }),
    onSuccess: (file) => saveFile(`bron-${plainName(file.name)}.json`, file),
  });
  const items: MenuItem[] = [
    { name: words.duplicate, run: () => duplicate.mutate() },
    { name: words.export, run: () => download.mutate() },
    ...(bron.isDefault || bron.archivedAt !== null
      ? []
      : [
          {
            name: words.archive,
            run: () =>
              ask({ ...words.sureArchive(visible(bron.name)), onYes: () => archive.mutate() }),
          },
        ]),
  ];
  return (
    <>
      <Menu label={words.menu} items={items} />
      <Refused error={duplicate.error ?? archive.error ?? download.error} />
      {dialog}
    </>
  );
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-") || "export";
}
