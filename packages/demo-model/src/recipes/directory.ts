import { defineRecipe } from "../recipe/recipe.ts";
import { after } from "../recipe/slot.ts";
import { fieldOf, objectsOf, textOf } from "./json.ts";

interface DirectoryValues {
  query?: string;
  lines?: readonly (readonly string[])[];
}

const query = after(
  /\b(?:look up|find|search for|search|who is|phone number of|extension of|number of) (?<value>(?!in\b|the\b)[\p{L}][\p{L} '-]*?)(?=\s+(?:in|from|is|has)\b|\s{2,}|[.?!,;:]|$)/u,
  /\bis (?<value>[\p{L}][\p{L}'-]*) (?:in|at) (?:the )?(?:team |company )?directory\b/u,
);

/** Looks people up in the team directory, which is an MCP server. */
export const directoryRecipe = defineRecipe<DirectoryValues>({
  topic: "the team directory",
  task: "look up a person in the team directory",
  examples: [
    "Look up Felix in the team directory.",
    "Find Camille in the company directory",
    "Search the team directory: look up Jonas",
  ],
  phrases: ["directory"],
  unless: ["email|mail|send|draft", "folder|file"],
  slots: { query },
  needs: ["query"],
  fillers: "team company directory staff phone number extension hours please",
  steps: [
    {
      call: "mcp_directory_find_person",
      with: ({ query: wanted = "" }) => ({ query: wanted }),
      doing: "look into the team directory",
      as: "lines",
      read: (result) =>
        objectsOf(fieldOf(fieldOf(result, "data"), "people")).map(
          (person) =>
            `${textOf(person, "name")}, ${textOf(person, "role")}: ${textOf(person, "phone")}, ${textOf(person, "hours")}`,
        ),
    },
    {
      say: ({ query: wanted = "", lines = [] }) =>
        lines.flat().length === 0 ? `The team directory has no one for "${wanted}".` : lines.flat(),
    },
  ],
  result: ({ said }) => said.join("\n"),
});
