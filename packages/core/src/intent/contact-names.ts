import { nameWords } from "./name-words.ts";

export interface ContactNames {
  /** Whether the owner trusts a normalized address. */
  isContact(address: string): boolean;
  /** The normalized addresses of trusted contacts whom the owner calls so. */
  contactsCalled(name: string): readonly string[];
}

/** `contacts` has what the owner calls each of them, by normalized address. */
export function createContactNames(contacts: ReadonlyMap<string, string>): ContactNames {
  // Computed on first use, because most effects mention no one by name.
  let known: readonly (readonly [address: string, names: readonly string[][]])[] | undefined;
  return {
    isContact: (address) => contacts.has(address),
    contactsCalled(name) {
      const words = nameWords(name);
      if (words.length === 0) return [];
      known ??= Array.from(contacts, ([address, given]) => [address, namesOf(address, given)]);
      return known.flatMap(([address, names]) =>
        names.some((one) => words.every((word) => one.includes(word))) ? [address] : [],
      );
    },
  };
}

/** By the name that the owner gave, or by the words before the @. */
function namesOf(address: string, given: string): string[][] {
  return [nameWords(given), nameWords(address.slice(0, address.lastIndexOf("@")))];
}
