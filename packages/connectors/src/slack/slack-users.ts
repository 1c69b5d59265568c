import { BronError } from "@bron/core";
import { readFromSlack, type SlackCaller, type SlackDeps } from "./call-slack.ts";

/** A user of a workspace. Plain data, because it becomes part of a prepared post. */
export type SlackPerson = {
  userId: string;
  /** The name that the user chose. It identifies no one. */
  name: string;
  /** The address in the user's profile. Empty if the profile has none. */
  address: string;
};

/** The fields of Slack's users that Bron uses. */
export interface UserResource {
  readonly id?: string;
  readonly name?: string;
  readonly real_name?: string;
  readonly deleted?: boolean;
  readonly is_bot?: boolean;
  readonly profile?: {
    readonly display_name?: string;
    readonly real_name?: string;
    readonly email?: string;
  };
}

export function personOf({ id = "", name = "", real_name: realName, profile }: UserResource) {
  return {
    userId: id,
    name: profile?.display_name || realName || profile?.real_name || name || id,
    address: profile?.email ?? "",
  } satisfies SlackPerson;
}

export function isUserId(text: string): boolean {
  return /^[UW][A-Z0-9]{6,}$/.test(text);
}

/** Throws not_found if the workspace has no such user, or if their account is deactivated. */
export async function findUser(
  deps: SlackDeps,
  caller: SlackCaller,
  wanted: { readonly userId: string } | { readonly address: string },
): Promise<SlackPerson> {
  const { user } = await readFromSlack(deps, caller, (client) =>
    "userId" in wanted
      ? client.users.info({ user: wanted.userId })
      : client.users.lookupByEmail({ email: wanted.address }),
  );
  if (!user || user.deleted === true)
    throw new BronError("not_found", "This Slack account is deactivated.");
  return personOf(user);
}
