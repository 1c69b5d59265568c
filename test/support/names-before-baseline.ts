/** The migrations that the baseline replaced, as old databases and backups name them. */
export const namesBeforeBaseline = [
  "0001-runs",
  "0002-doors",
  "0003-appends",
  "0004-trust",
  "0010-audit",
  "0011-decisions",
  "0012-contacts",
  "0013-retries",
  "0014-brons",
  "0015-access",
  "0016-uploads",
  "0017-not-done",
  "0018-children",
  "0019-taken-back",
];
