/** For programs under test, which are asked more often than a person asks, by those who do not change their mind. */
export const noLimits = {
  BRON_LIMIT_RUN_CREATES_PER_USER: "0",
  BRON_LIMIT_RUN_CREATES_PER_ADDRESS: "0",
  BRON_LIMIT_APPROVALS: "0",
  BRON_LIMIT_REFUSED_DECISIONS: "0",
  BRON_LIMIT_UPLOADS: "0",
  BRON_LIMIT_CONNECTS: "0",
  BRON_LIMIT_STREAMS: "0",
  BRON_UNDO_SECONDS: "0",
};
