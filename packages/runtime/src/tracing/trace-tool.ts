import type { Tool, ToolContext } from "@bron/core";
import { SpanKind } from "@opentelemetry/api";
import { endFailed } from "./end-failed.ts";
import type { SpanStarter } from "./span-starter.ts";

type Phase = "prepare" | "edit" | "execute" | "reconcile";

/**
 * Records a span for each call of the tool. An effect is prepared in one segment and executed in
 * another, so each phase has its own span.
 */
export function traceTool(tool: Tool, { start, within, withContent }: SpanStarter): Tool {
  const traced = async <T>(
    phase: Phase,
    { actionId }: Pick<ToolContext, "actionId">,
    input: unknown,
    work: () => Promise<T>,
  ): Promise<T> => {
    const operation = `${phase}_tool`;
    const span = start(`${operation} ${tool.name}`, SpanKind.INTERNAL, {
      "gen_ai.operation.name": operation,
      "gen_ai.tool.name": tool.name,
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": actionId,
    });
    if (withContent) span.setAttribute("gen_ai.tool.call.arguments", JSON.stringify(input));
    try {
      const result = await within(span, work);
      if (withContent) span.setAttribute("gen_ai.tool.call.result", JSON.stringify(result));
      span.end();
      return result;
    } catch (error) {
      endFailed(span, error, withContent);
      throw error;
    }
  };
  const { reconcile, editing } = tool;
  return {
    ...tool,
    ...(editing
      ? {
          editing: {
            ...editing,
            edit: (prepared, changes, context) =>
              traced("edit", context, changes, () => editing.edit(prepared, changes, context)),
          },
        }
      : {}),
    prepare: (input, context) =>
      traced("prepare", context, input, () => tool.prepare(input, context)),
    execute: (input, context) =>
      traced("execute", context, input, () => tool.execute(input, context)),
    ...(reconcile
      ? {
          reconcile: (prepared, context) =>
            traced("reconcile", context, prepared, () => reconcile(prepared, context)),
        }
      : {}),
  };
}
