import { texts } from "../texts.ts";

const widths = ["w-11/12", "w-full", "w-3/4", "w-5/6", "w-2/3"];

/** Gray lines where text is about to be. */
export function Skeleton({ lines }: { readonly lines: number }) {
  return (
    <div role="status" className="grid animate-pulse gap-3 py-2">
      <span className="sr-only">{texts.loading}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span
          key={index}
          aria-hidden="true"
          className={`h-3.5 rounded bg-raised ${widths[index % widths.length]}`}
        />
      ))}
    </div>
  );
}
