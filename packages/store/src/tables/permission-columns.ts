export const ruleColumns = `id, bron_id as "bronId", tool, host, server, verdict, to_json(created_at) #>> '{}' as "createdAt"`;
export const allowedColumns = `id, kind, value, name, to_json(created_at) #>> '{}' as "createdAt"`;
export const effectColumns = `kind, undo_seconds as "undoSeconds", approvals_per_minute as "approvalsPerMinute"`;
export const grantColumns = `id, bron_id as "bronId", tool, recipient, host, server,
  includes_private as "includesPrivate", to_json(expires_at) #>> '{}' as "expiresAt",
  to_json(revoked_at) #>> '{}' as "revokedAt", uses, to_json(created_at) #>> '{}' as "createdAt"`;
