/** As a schema gives it: names that nobody gave are undefined. */
export type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

type Given<T> = { readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> } & { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] };

/** Without the names that nobody gave. */
export function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
}
