import type { ReactNode } from "react";
import { cx } from "../ui/cx.ts";
import { evenColumns, twoColumns } from "./columns.ts";

interface TaskColumnsProps {
  /** What Bron did. Undefined on a screen that is too narrow for a second column. */
  readonly activity: ReactNode;
  /** All steps are unfolded, so that what Bron did needs as much room as the result. */
  readonly isEven: boolean;
  readonly children: ReactNode;
}

/**
 * The result of a task, and beside it what Bron did. The result keeps its place among its siblings,
 * so that nothing typed is lost when the width of the screen changes.
 */
export function TaskColumns({ activity, isEven, children }: TaskColumnsProps) {
  return (
    <div className={isEven ? evenColumns : twoColumns}>
      <div className="grid min-w-0 grid-cols-1 content-start gap-5">{children}</div>
      {activity !== undefined && (
        <div
          className={cx(
            "grid min-w-0 content-start gap-2",
            !isEven && "sticky top-[calc(var(--task-room,0px)+1rem)] self-start",
          )}
        >
          {activity}
        </div>
      )}
    </div>
  );
}
