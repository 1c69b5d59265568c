import { useMutation } from "@tanstack/react-query";
import { api } from "../api.ts";
import { settingsWords } from "../words/settings.ts";
import { Button } from "../ui/button.tsx";
import { Panel } from "../ui/panel.tsx";
import { Problem } from "../ui/states.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";

const words = settingsWords;

/** Stops all tasks, or signs this browser out. */
export function DangerPanel() {
  const { ask, dialog } = useConfirm();
  const stop = useMutation({ mutationFn: () => api.call("POST /api/stop") });
  const signOut = useMutation({
    mutationFn: () => api.call("POST /sign-out"),
    onSuccess: () => location.assign("/"),
  });
  return (
    <Panel title={words.danger}>
      <div className="grid grid-cols-1 gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 flex-1 basis-64 text-sm text-quiet">{words.stopAbout}</p>
          <Button
            kind="danger"
            disabled={stop.isPending}
            onClick={() => ask({ ...words.sureStop, onYes: () => stop.mutate() })}
          >
            {words.stop}
          </Button>
        </div>
        <p role="status" className="text-sm empty:hidden">
          {stop.data && words.stopped(stop.data.stopped.length)}
        </p>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 flex-1 basis-64 text-sm text-quiet">{words.signOutAbout}</p>
          <Button disabled={signOut.isPending} onClick={() => signOut.mutate()}>
            {words.signOut}
          </Button>
        </div>
      </div>
      <Problem error={stop.error ?? signOut.error} />
      {dialog}
    </Panel>
  );
}
