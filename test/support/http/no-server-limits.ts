const none = { perUser: 0, perAddress: 0 };

/** For tests of other behavior, which send requests faster than a person does. */
export const noServerLimits = {
  rates: {
    createRun: none,
    approve: none,
    refusedDecision: none,
    upload: none,
    connect: none,
    callback: none,
  },
  maxStreams: 0,
};
