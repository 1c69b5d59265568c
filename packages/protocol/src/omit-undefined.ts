type WithoutUndefined<T> = {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
} & { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] };

/**
 * Leaves out the members whose value is undefined. With `exactOptionalPropertyTypes` an optional
 * member must be absent, so an object is built from optional values with this function.
 */
export function omitUndefined<T extends object>(values: T): WithoutUndefined<T> {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as WithoutUndefined<T>;
}
