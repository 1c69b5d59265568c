/** Where a provider sends the owner's browser back to, signed but without a cookie. */
export const callbackPath = "/api/gmail/callback";
