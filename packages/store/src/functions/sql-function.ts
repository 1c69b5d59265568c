/** A function in the database. Its name has exactly one signature. */
export interface SqlFunction {
  readonly name: string;
  /** The whole `create or replace function` statement. */
  readonly text: string;
}
