/** Every provider accepts these names. */
const acceptedEverywhere = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
export const maxModelNameCharacters = 64;

export function isAcceptedEverywhere(name: string): boolean {
  return acceptedEverywhere.test(name);
}

/** The name that the model sees, by the name of the tool. */
export type ModelNames = ReadonlyMap<string, string>;

/**
 * Extends the table of a run by the names of its present tools. Names in the table keep their
 * meaning, because the model has seen them. A name that every provider accepts stands for itself
 * unless it is taken. Depends on nothing but its arguments.
 */
export function extendModelNames(table: ModelNames, names: Iterable<string>): ModelNames {
  const missing = [...names].filter((name) => !table.has(name));
  if (missing.length === 0) return table;
  const extended = new Map(table);
  const taken = new Set(extended.values());
  const add = (name: string, modelName: string) => {
    extended.set(name, modelName);
    taken.add(modelName);
  };
  const unfit: string[] = [];
  for (const name of missing) {
    if (isAcceptedEverywhere(name) && !taken.has(name)) add(name, name);
    else unfit.push(name);
  }
  for (const name of unfit) add(name, freeName(name, taken));
  return extended;
}

/** The name with its other characters replaced, and a number if that is taken. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const replaced = name.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
  const base = /^[a-zA-Z_]/.test(replaced) ? replaced : `_${replaced}`;
  for (let count = 1; ; count++) {
    const suffix = count === 1 ? "" : `_${count}`;
    const candidate = base.slice(0, maxModelNameCharacters - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}

/** The tool that the model means. Returns the name unchanged if the table does not have it. */
export function toolNamed(table: ModelNames, modelName: string): string {
  for (const [name, shown] of table) if (shown === modelName) return name;
  return modelName;
}
