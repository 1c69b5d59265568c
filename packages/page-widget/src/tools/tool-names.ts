const maxLength = 64;

/** Gives each thing a name of its own, and keeps it. Names are looked up, never computed back. */
export interface ToolNames {
  /** The name of `key`: `wanted`, or with a number if something else has that name. */
  nameFor(key: string, wanted: string): string;
}

export function createToolNames(reserved: readonly string[]): ToolNames {
  const byKey = new Map<string, string>();
  const taken = new Set(reserved);
  return {
    nameFor(key, wanted) {
      const known = byKey.get(key);
      if (known !== undefined) return known;
      // These names are for actions on the server.
      const base = wanted.replace(/^action_/, "page_action_").slice(0, maxLength);
      let name = base;
      for (let number = 2; taken.has(name); number++)
        name = `${base.slice(0, maxLength - 6)}-${number}`;
      taken.add(name);
      byKey.set(key, name);
      return name;
    },
  };
}

/** "Add to cart" becomes "add-to-cart". Words without Latin letters become "". */
export function kebab(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 48)
    .replace(/-+$/, "");
}

export function isToolName(name: string): boolean {
  return /^[A-Za-z0-9_.-]{1,64}$/.test(name);
}
