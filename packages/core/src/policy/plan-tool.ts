import { z } from "zod";
import { defineTool } from "../tool/define-tool.ts";
import { planToolName } from "./run-labels.ts";

/** Does nothing itself. The policy reads from the log that it was called, and when. */
export const planTool = defineTool({
  name: planToolName,
  description:
    "Names the changing tools that the user's own words call for. Call it first, together with your first reads: a changing tool that you decide on only after you have read what others wrote is asked about.",
  input: z.object({
    tools: z.array(z.string().min(1).max(64)).max(20),
    why: z.string().max(500).default(""),
  }),
  label: "trusted",
  repeatable: true,
  parallelSafe: true,
  execute: ({ tools }) => ({ planned: tools }),
});
