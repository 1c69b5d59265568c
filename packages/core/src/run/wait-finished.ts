/**
 * Pass this as the reason of an `abort` that only ends a timer or a wait. An abort without a reason
 * creates an error with a stack trace every time.
 */
export const waitFinished: { readonly waitFinished: true } = Object.freeze({ waitFinished: true });
