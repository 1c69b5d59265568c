const none = { perUser: 0, perAddress: 0 };

/** For tests of other things, which ask more often than a person does. */
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
