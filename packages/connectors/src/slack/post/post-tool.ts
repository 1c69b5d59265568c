import { defineTool, type Tool, type ToolContext } from "@bron/core";
import { z } from "zod";
import { createFindMention } from "./find-mention.ts";
import { post, reconcilePost, type PostDeps } from "./post-effect.ts";
import { postFacts } from "./post-facts.ts";
import {
  postFields,
  preparePost,
  previewOf,
  type PostRequest,
  type PreparedPost,
} from "./prepared-post.ts";

export function postTool(deps: PostDeps): Tool {
  const findMention = createFindMention(deps);
  const prepare = async (request: PostRequest, context: ToolContext) => {
    const prepared = await preparePost(deps, request, context);
    return { prepared, preview: previewOf(prepared) };
  };
  return defineTool({
    group: "slack",
    sideEffect: true,
    effectKind: "post",
    label: "trusted",
    facts: postFacts,
    findMention: (query, _, context) => findMention(query, context),
    timeoutMs: deps.times.postMs,
    name: "slack_post",
    description:
      "Posts a message to a Slack channel that Bron is in, or sends it to one person as a direct message. The user sees exactly what will be posted and who will be notified, and approves or denies it.",
    input: z.object(postFields),
    prepare,
    editing: {
      fields: z.strictObject(postFields).partial(),
      valuesOf: ({ to, text }: PreparedPost) => ({ to, text }),
      edit: (form: PreparedPost, { to = form.to, text = form.text }, context) =>
        prepare({ to, text }, context),
    },
    execute: (form: PreparedPost, context) => post(deps, form, context),
    reconcile: (form, context) => reconcilePost(deps, form, context),
  });
}
