/** A reason for `abort` that only ends a timer or a wait: without one, each abort makes an error with a stack. */
export const waitFinished: { readonly waitFinished: true } = Object.freeze({ waitFinished: true });
