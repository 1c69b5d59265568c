import { sql, type Kysely } from "kysely";

/** The words of each run, for the search over tasks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  // In batches, because a statement has a time limit. A parent run is older than its child runs.
  for (let last: string | undefined = "-infinity"; last !== undefined;) {
    const { rows }: { rows: { last: string | null }[] } = await sql<{ last: string | null }>`
      with batch as (
        select r.* from runs r where r.created_at > ${last}::timestamptz order by r.created_at
        fetch first 2000 rows with ties
      ), added as (
        insert into task_words (run_id, owner_id, thread_id, words) ${sql.raw(wordsOfBatch)}
      ) select max(created_at)::text as last from batch`.execute(db);
    last = rows[0]?.last ?? undefined;
  }
  await sql`create index task_words_by_word on task_words using gin (words)`.execute(db);
}

const statements = [
  // Words of a child run are found in the conversation of its root run. The vector also has the owner,
  // so that the index itself leaves out the runs of others. It has no reference to runs, because rows
  // are written and deleted together with them.
  `create table task_words (
     run_id uuid primary key,
     owner_id text not null,
     thread_id uuid not null,
     words tsvector not null
   )`,
  `create index task_words_by_thread on task_words (thread_id)`,
];

const separators = `@.,:;/\\-_+#=&?!%~^*|()[]{}<>"\`$–—‘’“”…·«»„•¿¡`;

const wordsOfBatch = `
  select batch.id, batch.owner_id, root.thread_id,
    array_to_tsvector(array['=' || md5(batch.owner_id)]) || strip(to_tsvector('simple', translate(left(lower(concat_ws(' ', batch.title, t.title, batch.prompt, said.text, sent.text)), 50000), '${separators}''', '${" ".repeat(separators.length + 1)}')))
  from batch
  join threads t on t.id = batch.thread_id
  cross join lateral (
    with recursive up as (
      select batch.parent_run_id, batch.thread_id
      union all select p.parent_run_id, p.thread_id from up join runs p on p.id = up.parent_run_id
    ) select thread_id from up where parent_run_id is null
  ) root
  cross join lateral (
    select string_agg(m.content, ' ') as text from bron_messages m where m.thread_id = batch.thread_id and m.run_id = batch.id
  ) said
  cross join lateral (
    select string_agg(value.sent #>> '{}', ' ') as text
    from effects e cross join lateral jsonb_path_query(jsonb_build_array(e.prepared -> 'to', e.prepared -> 'cc', e.prepared -> 'bcc', e.prepared -> 'guests', e.prepared -> 'person', e.prepared -> 'channel', e.prepared -> 'mentioned', e.prepared -> 'subject', e.prepared -> 'title'), 'strict $.** ? (@.type() == "string")') as value (sent)
    where e.run_id = batch.id and e.state = 'done'
  ) sent`;
