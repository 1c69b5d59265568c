import { texts } from "../texts.ts";
import { Problem } from "./states.tsx";

/** Shown after the server rejected a change: the reason, and that nothing was saved. */
export function Refused({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <>
      <Problem error={error} />
      <p className="mb-3 text-sm text-quiet">{texts.notSaved}</p>
    </>
  );
}
