import { BronError, type Tool } from "@bron/core";

export function toolMap(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const map = new Map(tools.map((tool) => [tool.name, tool]));
  if (map.size !== tools.length) {
    const duplicate = tools.find(
      (tool, index) => tools.findIndex(({ name }) => name === tool.name) !== index,
    );
    throw new BronError("invalid_input", `There are two tools named "${duplicate?.name}".`);
  }
  return map;
}
