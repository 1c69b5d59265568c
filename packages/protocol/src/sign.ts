/** Signs with the instance's secret. Signatures for different purposes are unrelated. */
export type Sign = (purpose: string, text: string) => string;
