/** Everything belongs to the person at this machine until there is sign-in. */
export const ownerId = "local";
