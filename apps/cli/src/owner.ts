/** The owner of everything that the person at this machine creates. */
export const ownerId = "local";
