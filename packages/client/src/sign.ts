/** Signs text with the secret of the home. `purpose` separates signatures for different uses. */
export type Sign = (purpose: string, text: string) => string;
