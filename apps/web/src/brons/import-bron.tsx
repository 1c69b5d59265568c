import { bronExportSchema, visible, type ApiResponse, type BronExport } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { api } from "../api.ts";
import { bronsWords } from "../words/brons.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Refused } from "../ui/refused.tsx";
import { toolPhrase } from "../words/tools.ts";

const words = bronsWords;
const maxBytes = 1_000_000;

/** Creates a Bron from an exported file, and says what of it is not here. */
export function ImportBron() {
  const picker = useRef<HTMLInputElement>(null);
  const [isWrong, setWrong] = useState(false);
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: (bron: BronExport) =>
      api.call("POST /api/brons/import", {
        body: { bron: { ...bron, tools: bron.tools && [...bron.tools] } },
      }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ["brons"] }),
  });
  const read = async (file: File) => {
    const bron = await readFile(file);
    setWrong(bron === undefined);
    if (bron) add.mutate(bron);
  };
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept="application/json,.json"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = "";
          if (file) void read(file);
        }}
      />
      <Button isBusy={add.isPending} onClick={() => picker.current?.click()}>
        {words.import}
      </Button>
      {isWrong && (
        <p role="alert" className="text-sm text-bad">
          {words.notAFile}
        </p>
      )}
      <Refused error={add.error} />
      <Dialog
        title={words.imported.title(visible(add.data?.bron.name ?? ""))}
        isOpen={add.data !== undefined}
        onClose={add.reset}
      >
        {add.data && <Imported {...add.data} />}
      </Dialog>
    </>
  );
}

function Imported({ bron, missing }: ApiResponse<"POST /api/brons/import">) {
  return (
    <div className="grid gap-3 text-sm">
      <p>{words.imported.supervised}</p>
      {bron.systemPrompt.trim() !== "" && <p>{words.imported.instructions}</p>}
      {missing.tools.length > 0 && (
        <p>{words.imported.tools(missing.tools.map(toolPhrase).join(", "))}</p>
      )}
      {missing.model !== null && <p>{words.imported.model(visible(missing.model))}</p>}
      <div className="mt-2 flex justify-end">
        <Link to="/brons/$bronId" params={{ bronId: bron.id }} className={buttonClass("main")}>
          {words.imported.open}
        </Link>
      </div>
    </div>
  );
}

/** Undefined for a file that is not an exported Bron. */
async function readFile(file: File): Promise<BronExport | undefined> {
  if (file.size > maxBytes) return undefined;
  try {
    return bronExportSchema.safeParse(JSON.parse(await file.text())).data;
  } catch {
    return undefined;
  }
}
