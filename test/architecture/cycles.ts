// Finds the cycles of a directed graph: Tarjan's strongly connected components that have more than
// one member or an edge to themselves.
export type Graph = ReadonlyMap<string, readonly string[]>;

export function findCycles(graph: Graph): string[][] {
  const indexes = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];

  function visit(node: string): number {
    const index = indexes.size;
    indexes.set(node, index);
    let low = index;
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!indexes.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, indexes.get(next) ?? low);
    }
    if (low === index) {
      const members = stack.splice(stack.indexOf(node));
      if (members.length > 1 || graph.get(node)?.includes(node)) cycles.push(members);
    }
    return low;
  }

  for (const node of graph.keys()) if (!indexes.has(node)) visit(node);
  return cycles;
}
