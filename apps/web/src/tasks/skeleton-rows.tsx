import { texts } from "../texts.ts";

const widths = ["w-2/3", "w-1/2", "w-3/4", "w-2/5", "w-3/5"];

/** Gray rows where tasks are about to be. */
export function SkeletonRows() {
  return (
    <div role="status" className="divide-y divide-edge rounded-xl border border-edge bg-surface">
      <span className="sr-only">{texts.loading}</span>
      {widths.map((width) => (
        <div key={width} aria-hidden="true" className="flex animate-pulse items-center gap-3 p-4">
          <span className="size-6 rounded-full bg-raised" />
          <span className="grid flex-1 gap-2">
            <span className={`h-3.5 rounded bg-raised ${width}`} />
            <span className="h-3 w-24 rounded bg-raised" />
          </span>
        </div>
      ))}
    </div>
  );
}
