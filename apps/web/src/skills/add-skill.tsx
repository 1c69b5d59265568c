import { skillLimits } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState, type ReactNode } from "react";
import { api } from "../api.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";
import { skillsWords } from "../words/skills.ts";

/** Adds an archive for review, and opens the review. The page shows the error in its own place. */
export function useAddSkill(): { readonly button: ReactNode; readonly problem: ReactNode } {
  const picker = useRef<HTMLInputElement>(null);
  const [isTooLarge, setTooLarge] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const add = useMutation({
    mutationFn: async (file: File) =>
      await api.call("POST /api/skills", {
        body: { archive: toBase64(new Uint8Array(await file.arrayBuffer())) },
      }),
    async onSuccess({ skill }) {
      await client.invalidateQueries({ queryKey: ["skills"] });
      await navigate({ to: "/skills/$skillName", params: { skillName: skill.name } });
    },
  });
  const choose = (file: File | undefined) => {
    if (!file) return;
    const isLarge = file.size > skillLimits.totalBytes;
    setTooLarge(isLarge);
    add.reset();
    if (!isLarge) add.mutate(file);
  };
  const button = (
    <>
      <input
        ref={picker}
        type="file"
        accept=".zip,.tgz,.gz,application/zip,application/gzip"
        aria-label={skillsWords.add}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = "";
          choose(file);
        }}
      />
      <Button
        kind="main"
        title={skillsWords.addHint}
        isBusy={add.isPending}
        onClick={() => picker.current?.click()}
      >
        {add.isPending ? skillsWords.adding : skillsWords.add}
      </Button>
    </>
  );
  const problem = (
    <div className="whitespace-pre-line">
      <Problem error={isTooLarge ? new Error(skillsWords.tooLarge) : add.error} />
    </div>
  );
  return { button, problem };
}

/** In parts, because a call takes a limited number of arguments. */
function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}
