/** From the lowest to the highest. */
export const accessRoles = ["freeBusyReader", "reader", "writer", "owner"] as const;
export type AccessRole = (typeof accessRoles)[number];

/** A calendar without its events. */
export interface CalendarFacts {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly timeZone: string;
  readonly colorId: string;
  readonly backgroundColor: string;
  /** The account that has it as primary calendar. */
  readonly primaryOf?: string;
  /** The access of accounts that list it, by address. */
  readonly members: Readonly<Record<string, AccessRole>>;
  /** The access of all other accounts. */
  readonly others?: AccessRole;
}

export function accessRole(
  { members, others }: CalendarFacts,
  account: string,
): AccessRole | undefined {
  return Object.hasOwn(members, account) ? members[account] : others;
}

export function mayDo(role: AccessRole, wanted: AccessRole): boolean {
  return accessRoles.indexOf(role) >= accessRoles.indexOf(wanted);
}
