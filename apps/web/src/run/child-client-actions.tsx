import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { toolTodo } from "../words/tools.ts";
import { clockTime } from "./clock-time.ts";
import { shown } from "./shown.ts";

/** What subtasks wait for other programs to do. */
export function ChildClientActions({ runId }: { readonly runId: string }) {
  const { data: actions = [] } = useQuery(queries.openClientActions(runId));
  const ofChildren = actions.filter((action) => action.runId !== runId);
  if (ofChildren.length === 0) return null;
  return (
    <ul aria-label={texts.run.subtaskSteps} className="mt-3 grid gap-1 pl-10 text-sm text-quiet">
      {ofChildren.map(shown).map(({ id, runId: childId, program, tool, expiresAt }) => (
        <li key={id}>
          <Link to="/runs/$runId" params={{ runId: childId }} className="underline">
            {texts.run.subtask}
          </Link>
          {": "}
          {texts.run.waitsForProgram(program, toolTodo(tool), clockTime(expiresAt))}
        </li>
      ))}
    </ul>
  );
}
