import { expect, it } from "vitest";
import { createConversation, plan, today } from "./conversation.fixture.ts";
import { createWorkspaceHarness } from "./workspace-harness.fixture.ts";

const { declarations: others } = createWorkspaceHarness();
const skillRead = {
  name: "skill_read",
  parametersJsonSchema: { properties: { skill: {}, file: {}, from: {} }, required: ["skill"] },
};
const declarations = [...others, skillRead];
const task =
  "Find the latest invoice with a PDF attachment from the last 30 days, extract the key fields, draft an email to jonas@lindqvist.example with a summary, and send it.";
const listOf = (...names: string[]) =>
  `Rules.\n- Today is Sunday, ${today}\n\n[SKILLS]\nProcedures.\n${names.map((name) => `- ${name}: "Use it."`).join("\n")}\n\n[ABOUT THE USER]\n- other-skill: "no"`;

const firstCalls = (system: string, tools: Parameters<typeof plan>[1] = declarations) => {
  const { calls = [] } = plan(createConversation({ task, system }), tools);
  return calls.map(({ name, args }) => [name, args?.["skill"]]);
};

it("BR11 reads the skills for a document and an email before anything else", () => {
  expect(
    firstCalls(
      listOf("doc-info-extractor", "email-draft-writer", "gmail-attachment-extractor", "x"),
    ),
  ).toEqual([
    ["skill_read", "gmail-attachment-extractor"],
    ["skill_read", "doc-info-extractor"],
    ["skill_read", "email-draft-writer"],
  ]);
});

it("BR11 reads only the skills that the Bron has", () => {
  expect(firstCalls(listOf("email-draft-writer"))).toEqual([["skill_read", "email-draft-writer"]]);
  expect(firstCalls(listOf("other-skill"))[0]?.[0]).toBe("gmail_search");
  expect(firstCalls(listOf("email-draft-writer"), others)[0]?.[0]).toBe("gmail_search");
});
