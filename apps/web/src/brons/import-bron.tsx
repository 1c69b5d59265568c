import { bronExportSchema, visible, type ApiResponse } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Refused } from "../ui/refused.tsx";
import { toolPhrase } from "../words/tools.ts";

const words = texts.brons;
const maxBytes = 1_000_000;

/** Creates a Bron from an exported file, and says what of it is not here. */
export function ImportBron() {
  const picker = useRef<HTMLInputElement>(null);
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: async (file: File) => {
      const bron = await readFile(file);
      return await api.call("POST /api/brons/import", {
        body: { bron: { ...bron, tools: bron.tools && [...bron.tools] } },
      });
    },
    onSuccess: () => void client.invalidateQueries({ queryKey: ["brons"] }),
  });
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
          if (file) add.mutate(file);
        }}
      />
      <Button isBusy={add.isPending} onClick={() => picker.current?.click()}>
        {words.import}
      </Button>
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

async function readFile(file: File) {
  try {
    if (file.size > maxBytes) throw new RangeError("The file is too large");
    return bronExportSchema.parse(JSON.parse(await file.text()));
  } catch (error) {
    throw new Error(words.notAFile, { cause: error });
  }
}
