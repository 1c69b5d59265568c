import { BronError, type Tool } from "@bron/core";

export function toolMap(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const map = new Map(tools.map((tool) => [tool.name, tool]));
  if (map.size !== tools.length) {
    const twice = tools.find(
      (tool, index) => tools.findIndex(({ name }) => name === tool.name) !== index,
    );
    throw new BronError("invalid_input", `Two tools are called "${twice?.name}".`);
  }
  return map;
}
