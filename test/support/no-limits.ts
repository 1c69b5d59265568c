/**
 * For programs under test. Tests send requests faster than a person does, never undo an approval, and
 * see no model server of the machine that they run on.
 */
export const noLimits = {
  BRON_LIMIT_RUN_CREATES_PER_USER: "0",
  BRON_LIMIT_RUN_CREATES_PER_ADDRESS: "0",
  BRON_LIMIT_APPROVALS: "0",
  BRON_LIMIT_REFUSED_DECISIONS: "0",
  BRON_LIMIT_UPLOADS: "0",
  BRON_LIMIT_CONNECTS: "0",
  BRON_LIMIT_STREAMS: "0",
  BRON_UNDO_SECONDS: "0",
  BRON_LOCAL_MODELS: "false",
};
