import { omitUndefined, type ExpiryMeaning, type JsonValue } from "@bron/protocol";
import type { z } from "zod";
import { BronError } from "../errors.ts";
import type { EffectFacts } from "../policy/effect-facts.ts";
import { defineTool, type ToolLabel } from "./define-tool.ts";
import type { InputSchema } from "./tool-input.ts";
import type { ClientSide, Tool, ToolServer } from "./tool.ts";

interface ClientToolDefinition<Input extends InputSchema> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  /** What the program sends back. Another result is rejected. */
  readonly output: z.ZodType;
  /** The program that carries it out, in one word for people: `page`, `editor`. */
  readonly program: string;
  /** How long the program has, from the start of the action. At most one day. */
  readonly deadlineMs: number;
  /**
   * What it means if a program took the action and sent no result in time. Set `failed` only if the
   * program does nothing after the deadline and undoes what it began.
   */
  readonly ifExpired: ExpiryMeaning;
  readonly group?: string;
  /** The MCP server that the tool came from. Such a tool must be an effect. */
  readonly server?: ToolServer;
  /** Label of the result. By default it counts as untrusted and private. */
  readonly label?: ToolLabel;
  readonly parallelSafe?: boolean;
  readonly reuseOnRetry?: boolean;
  /** Changes something outside Bron. The program gets it only after the policy or the owner allowed it. */
  readonly sideEffect?: boolean;
  readonly seenBy?: "owner" | "others";
  /** For effects: whom and what it reaches. By default every address and host in the input. */
  facts?(input: JsonValue): EffectFacts;
}

const maxDeadlineMs = 86_400_000;

/**
 * Defines a tool that another program carries out. The run waits, without a worker, until the
 * program has sent its result or the deadline has passed.
 */
export function defineClientTool<Input extends InputSchema>(
  definition: ClientToolDefinition<Input>,
): Tool {
  const { name, output, program, deadlineMs, ifExpired } = definition;
  if (!Number.isInteger(deadlineMs) || deadlineMs <= 0 || deadlineMs > maxDeadlineMs)
    throw new BronError(
      "invalid_input",
      `${name}: deadlineMs must be an integer from 1 to ${maxDeadlineMs} (one day).`,
    );
  const client: ClientSide = { program, deadlineMs, ifExpired, outputSchema: output };
  return { ...defineBase(definition), client };
}

function defineBase<Input extends InputSchema>({
  sideEffect = false,
  seenBy = "others",
  facts,
  reuseOnRetry = false,
  ...definition
}: ClientToolDefinition<Input>): Tool {
  const execute = (): never => {
    throw new BronError("internal", "Another program carries this out");
  };
  if (!sideEffect) return defineTool({ ...definition, reuseOnRetry, execute });
  return defineTool<Input, JsonValue>({
    ...definition,
    sideEffect: true,
    seenBy,
    ...omitUndefined({ facts }),
    execute,
  });
}
