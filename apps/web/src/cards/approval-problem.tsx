import { useState } from "react";
import { network } from "../live/network.ts";
import { useOnline } from "../live/use-online.ts";
import { texts } from "../texts.ts";
import { Problem } from "../ui/states.tsx";

/** Why a choice was not saved. The offline message disappears when the network is back. */
export function ApprovalProblem({ error }: { readonly error: unknown }) {
  const isOnline = useOnline();
  const [wasOffline, setWasOffline] = useState(() => !network.isOnline());
  if (!isOnline && !wasOffline) setWasOffline(true);
  if (wasOffline && isOnline) return null;
  return (
    <>
      <p className="font-medium text-bad">{texts.approval.notSaved}</p>
      {isOnline ? (
        <Problem error={error} />
      ) : (
        <p role="alert" className="my-3 rounded-lg border border-bad bg-bad-soft px-4 py-3 text-sm">
          {texts.approval.offline}
        </p>
      )}
    </>
  );
}
