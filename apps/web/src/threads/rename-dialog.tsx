import type { ThreadView } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { threadsWords } from "../words/threads.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, inputClass } from "../ui/field.tsx";
import { Problem } from "../ui/states.tsx";

interface RenameDialogProps {
  readonly thread: ThreadView | undefined;
  onClose(): void;
}

export function RenameDialog({ thread, onClose }: RenameDialogProps) {
  return (
    <Dialog title={threadsWords.renameTitle} isOpen={thread !== undefined} onClose={onClose}>
      {thread && <RenameForm thread={thread} onClose={onClose} />}
    </Dialog>
  );
}

function RenameForm({ thread, onClose }: { readonly thread: ThreadView; onClose(): void }) {
  const [title, setTitle] = useState(thread.title);
  const client = useQueryClient();
  const rename = useMutation({
    mutationFn: () =>
      api.call("PATCH /api/threads/:id", { params: { id: thread.id }, body: { title } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["threads"] });
      onClose();
    },
  });
  return (
    <form
      className="grid grid-cols-1 gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        rename.mutate();
      }}
    >
      <Field label={threadsWords.name}>
        {(ids) => (
          <input
            {...ids}
            autoFocus
            required
            maxLength={200}
            autoComplete="off"
            value={title}
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => setTitle(target.value)}
            className={inputClass}
          />
        )}
      </Field>
      <Problem error={rename.error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" kind="main" disabled={title.trim() === "" || rename.isPending}>
          {rename.isPending ? texts.saving : texts.save}
        </Button>
      </div>
    </form>
  );
}
