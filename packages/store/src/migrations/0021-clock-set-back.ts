/**
 * Only changed functions, which are not part of migrations any more. Databases that ran it still
 * list its name.
 */
export async function up(): Promise<void> {}
