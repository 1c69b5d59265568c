import { texts } from "../texts.ts";
import { Problem } from "./states.tsx";

/** After a change that the server did not make: that nothing changed, and why. */
export function Refused({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <>
      <Problem error={error} />
      <p className="mb-3 text-sm text-quiet">{texts.undone}</p>
    </>
  );
}
