/** From the least to the most. */
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
  /** The account whose primary calendar it is. */
  readonly primaryOf?: string;
  /** Who has it in their list, by address. */
  readonly members: Readonly<Record<string, AccessRole>>;
  /** What everybody else of this world may do with it. */
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
