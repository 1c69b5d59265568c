/** A signature by the secret of the home; `purpose` keeps those for different uses apart. */
export type Sign = (purpose: string, text: string) => string;
