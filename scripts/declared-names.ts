import { parseSync, type ESTree } from "vite";

interface DeclaredName {
  readonly name: string;
  readonly line: number;
}

/**
 * The names that a source declares, each once per line. Uses are not counted, so a library's names
 * are free. Neither are the keys of an object in an argument, because the callee chose them.
 */
export function declaredNames(path: string, text: string): DeclaredName[] {
  const lineOf = lineCounter(text);
  const found = new Map<string, DeclaredName>();
  walk(parseSync(path, text).program, (node) => {
    for (const declared of [...declaredBy(node), ...parametersOf(node).flatMap(bindings)]) {
      const name = nameOf(declared);
      if (name === undefined) continue;
      const line = lineOf(declared?.start ?? 0);
      found.set(`${line} ${name}`, { name, line });
    }
  });
  return [...found.values()];
}

function nameOf(node: ESTree.Node | null | undefined): string | undefined {
  return node?.type === "Identifier" || node?.type === "PrivateIdentifier" ? node.name : undefined;
}

type Declared = ESTree.Node | null | undefined;

function declaredBy(node: ESTree.Node): Declared[] {
  switch (node.type) {
    case "VariableDeclarator":
      return [...bindings(node.id), ...keysOf(node.init)];
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "TSDeclareFunction":
    case "ClassDeclaration":
    case "ClassExpression":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
    case "TSEnumDeclaration":
    case "TSModuleDeclaration":
      return [node.id];
    case "TSEnumMember":
      return [node.id];
    case "TSTypeParameter":
      return [node.name];
    case "TSNamedTupleMember":
      return [node.label];
    case "TSMappedType":
      return [node.key];
    case "CatchClause":
      return bindings(node.param);
    case "LabeledStatement":
      return [node.label];
    case "ArrowFunctionExpression":
      return keysOf(node.body);
    case "ReturnStatement":
      return keysOf(node.argument);
    case "TSPropertySignature":
    case "TSMethodSignature":
    case "MethodDefinition":
    case "TSAbstractMethodDefinition":
    case "TSAbstractPropertyDefinition":
    case "TSAbstractAccessorProperty":
      return node.computed ? [] : [node.key];
    case "PropertyDefinition":
    case "AccessorProperty":
      return [...(node.computed ? [] : [node.key]), ...keysOf(node.value)];
    default:
      return aliasOf(node);
  }
}

/** The name that an import or export chooses. Without an alias, the other module chose it. */
function aliasOf(node: ESTree.Node): Declared[] {
  switch (node.type) {
    case "ImportSpecifier":
      return nameOf(node.imported) === node.local.name ? [] : [node.local];
    case "ImportDefaultSpecifier":
    case "ImportNamespaceSpecifier":
      return [node.local];
    case "ExportSpecifier":
      return nameOf(node.local) === nameOf(node.exported) ? [] : [node.exported];
    case "ExportAllDeclaration":
      return [node.exported];
    default:
      return [];
  }
}

/** The parameters of a function, a method or a type of one. */
function parametersOf(node: ESTree.Node): ESTree.Node[] {
  if (node.type === "TSParameterProperty") return [node.parameter];
  return "params" in node && Array.isArray(node.params) ? node.params : [];
}

/** The keys of an object that is written here, and of the objects inside it. */
function keysOf(node: Declared): Declared[] {
  switch (node?.type) {
    case "ObjectExpression":
      return node.properties.flatMap((one) =>
        one.type === "Property"
          ? [...(one.computed ? [] : [one.key]), ...keysOf(one.value)]
          : keysOf(one.argument),
      );
    case "ArrayExpression":
      return node.elements.flatMap(keysOf);
    case "ConditionalExpression":
      return [...keysOf(node.consequent), ...keysOf(node.alternate)];
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return keysOf(node.expression);
    default:
      return [];
  }
}

function bindings(pattern: Declared): ESTree.Node[] {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern];
    case "AssignmentPattern":
      return bindings(pattern.left);
    case "RestElement":
      return bindings(pattern.argument);
    case "ArrayPattern":
      return pattern.elements.flatMap(bindings);
    case "ObjectPattern":
      return pattern.properties.flatMap((one) =>
        bindings(one.type === "RestElement" ? one.argument : one.value),
      );
    default:
      return [];
  }
}

function walk(node: unknown, visit: (node: ESTree.Node) => void): void {
  if (node === null || typeof node !== "object") return;
  if (Array.isArray(node)) {
    for (const one of node) walk(one, visit);
    return;
  }
  if ("type" in node && typeof node.type === "string") visit(node as ESTree.Node);
  for (const [key, value] of Object.entries(node)) if (key !== "parent") walk(value, visit);
}

function lineCounter(text: string): (offset: number) => number {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), (match) => match.index + 1)];
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
