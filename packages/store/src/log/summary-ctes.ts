/** What an append does with the summaries in its projection, an expression of SQL. */

/** Not if the owner has changed the summary since the upkeep run read it, or switched memory off. */
const writeMemorySummary = (projection: string) => `
  update brons b set memory_before = b.memory_summary, memory_summary = s.text, memory_version = b.memory_version + 1,
    memory_updated_at = run.at, updated_at = run.at
  from run, jsonb_to_recordset(${projection} -> 'memorySummaries') as s (text text, version int)
  where b.id = run.bron_id and b.owner_id = run.owner_id and b.memory_version = s.version and b.memory_on
  returning run.id as run_id`;

/** Another upkeep run repeats the work of one whose summary was not written. */
const repeatUpkeep = (projection: string) => `
  update runs t set upkeep_due = true, upkeep_run_id = null
  from run where jsonb_exists(${projection}, 'memorySummaries') and t.upkeep_run_id = run.id
    and not exists (select from memory_summary m where m.run_id = run.id)`;

const writeOlderSummary = (projection: string) => `
  update threads t set older_summary = s.text, older_up_to = s."upTo"::bigint, older_trusted = s.trusted
  from run, jsonb_to_recordset(${projection} -> 'threadSummaries') as s ("upTo" text, text text, trusted boolean)
  where t.id = run.thread_id and (t.older_up_to is null or t.older_up_to < s."upTo"::bigint)`;

/** Each is needed if the projection has its list. The second one reads the first. */
export const summaryCtes = [
  { name: "memory_summary", list: "memorySummaries", body: writeMemorySummary },
  { name: "repeated_upkeep", list: "memorySummaries", body: repeatUpkeep },
  { name: "older_summary", list: "threadSummaries", body: writeOlderSummary },
] as const;
