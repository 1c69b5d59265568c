-- The tables and functions that the migrations 0001 to 0019 created, as pg_dump wrote them.
set local check_function_bodies = false;
CREATE FUNCTION public.claim_run(run uuid, worker text, lease_ms integer, take_over_until timestamp with time zone, max_per_owner integer, max_in_all integer, understood integer) RETURNS TABLE(outcome text, header jsonb, epoch integer, seq integer, fruitless integer, drawn bigint, cap bigint, at timestamp with time zone, events json)
    LANGUAGE plpgsql
    AS $$
   declare
     r runs%rowtype;
     of_owner int;
     in_all int;
   begin
     outcome := 'not_runnable';
     select * into r from runs where id = run;
     if not found or not r.runnable or r.status in ('completed', 'failed', 'canceled') then return next; return; end if;
     outcome := 'too_new';
     if r.log_version > understood then return next; return; end if;
     outcome := 'too_early';
     if r.wake_at > clock_timestamp() and r.cancel_requested_at is null then return next; return; end if;
     outcome := 'taken';
     if r.lease_owner is not null and r.lease_owner <> worker and not (r.lease_until < clock_timestamp() and clock_timestamp() < take_over_until) then return next; return; end if;
     outcome := 'limit';
     -- The row first: whoever holds it for long keeps only this run from being claimed, not all of them.
     perform 1 from runs where id = run for update;
     perform pg_advisory_xact_lock(hashtextextended(current_schema() || '.claim_run', 0));
     select count(*) filter (where runs.owner_id = r.owner_id), count(*) into of_owner, in_all
       from runs where lease_owner is not null and lease_until >= clock_timestamp() and id <> run;
     if of_owner >= max_per_owner or in_all >= max_in_all then return next; return; end if;
     outcome := 'taken';
     -- A worker that takes up what it dropped itself, since the database was away, has not failed on it.
     update runs set lease_epoch = lease_epoch + 1, lease_owner = worker, lease_until = clock_timestamp() + lease_ms * interval '1 millisecond', claims = claims + case when lease_owner = worker then 0 else 1 end
       where id = run and runnable and status not in ('completed', 'failed', 'canceled')
         and (lease_owner is null or lease_owner = worker or (lease_until < clock_timestamp() and clock_timestamp() < take_over_until))
       returning * into r;
     if not found then return next; return; end if;
     select cap_microusd into cap from owners where id = r.owner_id;
     outcome := 'claimed';
     header := jsonb_build_object('ownerId', r.owner_id, 'bronId', r.bron_id, 'threadId', r.thread_id, 'attachedContext', r.attached_context, 'caps', r.caps);
     epoch := r.lease_epoch;
     seq := r.last_seq;
     fruitless := r.claims;
     drawn := r.drawn_microusd;
     at := clock_timestamp();
     return next;
     return query select 'log', null::jsonb, null::int, l.seq, null::int, null::bigint, null::bigint, l.created_at, l.events from run_log l where l.run_id = run order by l.seq;
   end $$;
CREATE FUNCTION public.close_approval(owner text, approval uuid, seen_digest text, verdict text, decided_by text, why text, token text, said jsonb DEFAULT '{}'::jsonb) RETURNS TABLE(outcome text, view jsonb, wake integer, held boolean)
    LANGUAGE plpgsql
    AS $$
   declare
     a approvals%rowtype;
     r runs%rowtype;
     undo interval := (said ->> 'undoMs')::int * interval '1 millisecond';
   begin
     select * into a from approvals where id = approval and owner_id = owner;
     outcome := 'not_found';
     if not found then return next; return; end if;
     select * into r from runs where id = a.run_id and owner_id = owner for update;
     if not found then return next; return; end if;
     select * into a from approvals where id = approval;
     view := to_jsonb(a);
     outcome := 'closed';
     if a.state <> (case when said ? 'undone' then 'approved' else 'pending' end) then return next; return; end if;
     if said ? 'undone' then
       outcome := 'late';
       if a.undo_until is null or a.undo_until <= clock_timestamp() then return next; return; end if;
     else
       outcome := case when verdict = 'expired' then 'not_due' else 'due' end;
       if (a.expires_at <= clock_timestamp()) <> (verdict = 'expired') then return next; return; end if;
       outcome := 'mismatch';
       if a.digest <> seen_digest then return next; return; end if;
     end if;
     outcome := 'over';
     -- Nothing more can be decided in a run that is over; that it expired is still true.
     if r.status in ('completed', 'failed', 'canceled') and verdict <> 'expired' then return next; return; end if;
     -- The time in which it can be taken back does not count against it.
     update approvals set state = verdict, decision_reason = why, token_hash = token, decided_at = clock_timestamp(), answer = said ->> 'answer',
       undo_until = case when said ? 'undone' then undo_until else clock_timestamp() + undo end, expires_at = expires_at + coalesce(undo, interval '0')
       where id = approval returning * into a;
     view := to_jsonb(a) || jsonb_build_object('prepared', (select prepared from effects where id = a.effect_id));
     outcome := 'done';
     update runs set last_seq = last_seq + 1, runnable = true, wakes = wakes + 1, swept_at = clock_timestamp()
       where id = r.id and status not in ('completed', 'failed', 'canceled') returning * into r;
     if found then
       wake := r.wakes;
       held := r.lease_owner is not null and r.lease_until >= clock_timestamp();
       insert into run_log (run_id, seq, owner_id, events, created_at)
       values (r.id, r.last_seq, owner, json_build_array(json_build_object('type', 'approval', 'payload', jsonb_strip_nulls(jsonb_build_object(
         'approvalId', a.id, 'actionId', a.action_id, 'effectId', a.effect_id, 'tool', a.tool, 'digest', a.digest, 'state', verdict, 'by', decided_by, 'reason', why,
         'undoUntil', floor(extract(epoch from a.undo_until) * 1000), 'expiresAt', case when undo is not null then to_char(a.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end))
         || (said - 'undoMs'))), clock_timestamp());
     end if;
     insert into audit (owner_id, what, by, run_id, action_id, effect_id, approval_id, tool, digest, details)
     values (owner, 'approval.' || verdict, case when decided_by is null then 'system' else 'owner' end, a.run_id, a.action_id, a.effect_id, a.id, a.tool, a.digest,
       jsonb_strip_nulls(jsonb_build_object('reason', why, 'edited', (select jsonb_agg(field) from jsonb_object_keys(said -> 'edit') as field), 'answer', said -> 'answer', 'undone', said -> 'undone')));
     return next;
   end $$;
CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   begin
     raise exception 'audit rows are never changed';
   end $$;
CREATE FUNCTION public.take_stream_slot(owner text, most integer, slot uuid, held_by text, good_ms double precision) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
   begin
     perform pg_advisory_xact_lock(hashtextextended(owner, 16));
     delete from stream_slots where owner_id = owner and good_until < clock_timestamp();
     if (select count(*) from stream_slots where owner_id = owner) >= most then return false; end if;
     insert into stream_slots (id, owner_id, holder, good_until) values (slot, owner, held_by, clock_timestamp() + good_ms * interval '1 millisecond');
     return true;
   end $$;
CREATE FUNCTION public.take_turn(keys text[], limits integer[], windows_ms double precision[]) RETURNS double precision
    LANGUAGE plpgsql
    AS $$
   declare
     moment timestamptz;
     wait float8;
   begin
     -- First without locks, so that whoever is over a limit already does not queue for them.
     for round in 1..2 loop
       moment := clock_timestamp();
       select max(extract(epoch from used.at - moment) * 1000 + t.window_ms) into wait
       from unnest(keys, limits, windows_ms) as t (key, most, window_ms)
       cross join lateral (
         select r.at from rate_turns r where r.key = t.key and r.at > moment - t.window_ms * interval '1 millisecond' order by r.at desc offset t.most - 1 limit 1
       ) used;
       if wait is not null then return greatest(1, ceil(wait)); end if;
       if round = 1 then
         perform pg_advisory_xact_lock(lock) from (select distinct hashtextextended(key, 15) as lock from unnest(keys) as key order by lock) ordered;
       end if;
     end loop;
     insert into rate_turns (key, at, gone_at)
     select key, moment, moment + max(window_ms) * interval '1 millisecond' from unnest(keys, windows_ms) as t (key, window_ms) group by key;
     -- More than any turn adds, so that the table stays as small as the windows are short.
     delete from rate_turns where ctid = any (array(select ctid from rate_turns where gone_at < moment order by gone_at limit 20 for update skip locked));
     return null;
   end $$;
CREATE TABLE public.actions (
    id uuid NOT NULL,
    run_id uuid NOT NULL,
    owner_id text NOT NULL,
    step integer NOT NULL,
    call_id text NOT NULL,
    tool text NOT NULL,
    state text NOT NULL,
    error jsonb,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE public.allowed (
    id uuid NOT NULL,
    owner_id text NOT NULL,
    kind text NOT NULL,
    value text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT allowed_kind_check CHECK ((kind = ANY (ARRAY['person'::text, 'domain'::text])))
);
CREATE UNLOGGED TABLE public.answers_in_progress (
    run_id uuid NOT NULL,
    owner_id text NOT NULL,
    step integer NOT NULL,
    attempt integer NOT NULL,
    text text NOT NULL
);
CREATE TABLE public.api_tokens (
    id uuid NOT NULL,
    owner_id text NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    token_hash text NOT NULL,
    hint text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_used_at timestamp with time zone,
    expires_at timestamp with time zone
);
CREATE TABLE public.approvals (
    id uuid NOT NULL,
    run_id uuid NOT NULL,
    owner_id text NOT NULL,
    action_id uuid NOT NULL,
    effect_id uuid NOT NULL,
    tool text NOT NULL,
    state text NOT NULL,
    digest text NOT NULL,
    reason text NOT NULL,
    preview text NOT NULL,
    decision_reason text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    token_hash text,
    risks jsonb DEFAULT '[]'::jsonb NOT NULL,
    difference jsonb DEFAULT '[]'::jsonb NOT NULL,
    answer text,
    undo_until timestamp with time zone
);
CREATE TABLE public.artifacts (
    id uuid NOT NULL,
    run_id uuid NOT NULL,
    owner_id text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    media_type text NOT NULL,
    digest text NOT NULL,
    size_bytes bigint NOT NULL,
    blob_url text,
    data jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.audit (
    id bigint NOT NULL,
    owner_id text NOT NULL,
    run_id uuid,
    what text NOT NULL,
    tool text,
    action_id uuid,
    effect_id uuid,
    digest text,
    details jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    approval_id uuid,
    by text NOT NULL,
    CONSTRAINT audit_by_check CHECK ((by = ANY (ARRAY['owner'::text, 'bron'::text, 'system'::text])))
);
ALTER TABLE public.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.blobs (
    owner_id text NOT NULL,
    digest text NOT NULL,
    bytes bytea,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    location text,
    CONSTRAINT blobs_somewhere CHECK (((bytes IS NOT NULL) OR (location IS NOT NULL)))
);
ALTER TABLE ONLY public.blobs ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE public.bron_messages (
    id bigint NOT NULL,
    owner_id text NOT NULL,
    bron_id uuid NOT NULL,
    thread_id uuid NOT NULL,
    run_id uuid,
    role text NOT NULL,
    content text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    trusted boolean DEFAULT false NOT NULL,
    CONSTRAINT bron_messages_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text, 'system'::text, 'tool'::text])))
);
ALTER TABLE public.bron_messages ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.bron_messages_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.brons (
    id uuid NOT NULL,
    owner_id text NOT NULL,
    name text NOT NULL,
    avatar_color text NOT NULL,
    system_prompt text NOT NULL,
    memory_summary text DEFAULT ''::text NOT NULL,
    trust_level text DEFAULT 'supervised'::text NOT NULL,
    is_default boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT brons_trust_level_check CHECK ((trust_level = ANY (ARRAY['supervised'::text, 'delegated'::text, 'autonomous'::text])))
);
CREATE TABLE public.contacts (
    owner_id text NOT NULL,
    source text NOT NULL,
    address text NOT NULL,
    names text[] NOT NULL,
    found_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE public.effects (
    id uuid NOT NULL,
    run_id uuid NOT NULL,
    owner_id text NOT NULL,
    action_id uuid NOT NULL,
    tool text NOT NULL,
    state text NOT NULL,
    digest text NOT NULL,
    prepared jsonb NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    deadline_at timestamp with time zone,
    outcome jsonb,
    error jsonb,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    settled_as text,
    settled_at timestamp with time zone,
    settled_note text,
    CONSTRAINT effects_settled_as_check CHECK ((settled_as = ANY (ARRAY['happened'::text, 'did_not_happen'::text])))
);
CREATE TABLE public.grants (
    id uuid NOT NULL,
    owner_id text NOT NULL,
    bron_id uuid,
    tool text NOT NULL,
    recipient text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    uses integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE public.instance (
    key text NOT NULL,
    value text NOT NULL
);
CREATE TABLE public.model_keys (
    owner_id text NOT NULL,
    provider text NOT NULL,
    sealed_key text NOT NULL,
    hint text NOT NULL,
    model text,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE public.oauth_tokens (
    id uuid NOT NULL,
    owner_id text NOT NULL,
    provider text NOT NULL,
    user_id text NOT NULL,
    access_token text NOT NULL,
    refresh_token text,
    expiry timestamp with time zone,
    scopes text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.owners (
    id text NOT NULL,
    cap_microusd bigint,
    drawn_microusd bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    sessions_after timestamp with time zone,
    CONSTRAINT owners_cap_microusd_check CHECK ((cap_microusd >= 0)),
    CONSTRAINT owners_drawn_microusd_check CHECK ((drawn_microusd >= 0))
);
CREATE UNLOGGED TABLE public.rate_turns (
    key text NOT NULL,
    at timestamp with time zone NOT NULL,
    gone_at timestamp with time zone NOT NULL
);
CREATE TABLE public.rules (
    id uuid NOT NULL,
    owner_id text NOT NULL,
    bron_id uuid,
    tool text NOT NULL,
    verdict text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT rules_verdict_check CHECK ((verdict = ANY (ARRAY['allow'::text, 'ask'::text, 'deny'::text])))
);
CREATE TABLE public.run_log (
    run_id uuid NOT NULL,
    seq integer NOT NULL,
    owner_id text NOT NULL,
    events json NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT run_log_seq_check CHECK ((seq > 0))
);
CREATE VIEW public.run_events AS
 SELECT ((l.run_id || '-'::text) || ((l.seq - json_array_length(l.events)) + e."position")) AS id,
    l.run_id,
    (((l.seq - json_array_length(l.events)) + e."position"))::integer AS seq,
    l.owner_id,
    (e.event ->> 'type'::text) AS type,
    ((e.event -> 'payload'::text))::jsonb AS payload,
    l.created_at
   FROM public.run_log l,
    LATERAL json_array_elements(l.events) WITH ORDINALITY e(event, "position");
CREATE TABLE public.runs (
    id uuid NOT NULL,
    owner_id text NOT NULL,
    bron_id uuid NOT NULL,
    thread_id uuid NOT NULL,
    parent_run_id uuid,
    title text NOT NULL,
    prompt text NOT NULL,
    attached_context jsonb NOT NULL,
    caps jsonb NOT NULL,
    idempotency_key text,
    status text NOT NULL,
    summary text,
    error jsonb,
    approval_token_hash text,
    log_version integer NOT NULL,
    last_seq integer NOT NULL,
    runnable boolean NOT NULL,
    wakes integer NOT NULL,
    wake_at timestamp with time zone,
    swept_at timestamp with time zone,
    lease_epoch integer DEFAULT 0 NOT NULL,
    lease_owner text,
    lease_until timestamp with time zone,
    claims integer DEFAULT 0 NOT NULL,
    cancel_requested_at timestamp with time zone,
    spent_microusd bigint DEFAULT 0 NOT NULL,
    drawn_microusd bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    retry_of uuid,
    card jsonb,
    input_tokens bigint DEFAULT 0 NOT NULL,
    output_tokens bigint DEFAULT 0 NOT NULL,
    not_done integer DEFAULT 0 NOT NULL,
    parent_told text DEFAULT 'running'::text NOT NULL,
    CONSTRAINT runs_parent_told_check CHECK ((parent_told = ANY (ARRAY['running'::text, 'waiting'::text, 'over'::text]))),
    CONSTRAINT runs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'planning'::text, 'executing'::text, 'awaiting_confirmation'::text, 'awaiting_auth'::text, 'completed'::text, 'failed'::text, 'canceled'::text])))
)
WITH (fillfactor='50');
CREATE TABLE public.sessions (
    id uuid NOT NULL,
    owner_id text NOT NULL,
    secret_hash text NOT NULL,
    via text NOT NULL,
    user_agent text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT sessions_via_check CHECK ((via = ANY (ARRAY['link'::text, 'firebase'::text])))
);
CREATE UNLOGGED TABLE public.stream_slots (
    id uuid NOT NULL,
    owner_id text NOT NULL,
    holder text NOT NULL,
    good_until timestamp with time zone NOT NULL
);
CREATE TABLE public.threads (
    id uuid NOT NULL,
    owner_id text NOT NULL,
    bron_id uuid NOT NULL,
    title text DEFAULT ''::text NOT NULL,
    is_default boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.uploads (
    id uuid NOT NULL,
    owner_id text NOT NULL,
    run_id uuid,
    filename text NOT NULL,
    content_type text NOT NULL,
    blob_url text,
    digest text,
    size_bytes bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone
);
CREATE TABLE public.used_keys (
    key text NOT NULL,
    used_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY public.actions
    ADD CONSTRAINT actions_pkey PRIMARY KEY (run_id, id);
ALTER TABLE ONLY public.allowed
    ADD CONSTRAINT allowed_owner_id_value_key UNIQUE (owner_id, value);
ALTER TABLE ONLY public.allowed
    ADD CONSTRAINT allowed_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.answers_in_progress
    ADD CONSTRAINT answers_in_progress_pkey PRIMARY KEY (run_id);
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.approvals
    ADD CONSTRAINT approvals_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.artifacts
    ADD CONSTRAINT artifacts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.blobs
    ADD CONSTRAINT blobs_pkey PRIMARY KEY (owner_id, digest);
ALTER TABLE ONLY public.bron_messages
    ADD CONSTRAINT bron_messages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.brons
    ADD CONSTRAINT brons_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT contacts_pkey PRIMARY KEY (owner_id, source, address);
ALTER TABLE ONLY public.effects
    ADD CONSTRAINT effects_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.instance
    ADD CONSTRAINT instance_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.model_keys
    ADD CONSTRAINT model_keys_pkey PRIMARY KEY (owner_id, provider);
ALTER TABLE ONLY public.oauth_tokens
    ADD CONSTRAINT oauth_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.owners
    ADD CONSTRAINT owners_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rules
    ADD CONSTRAINT rules_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.run_log
    ADD CONSTRAINT run_log_pkey PRIMARY KEY (run_id, seq);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_secret_hash_key UNIQUE (secret_hash);
ALTER TABLE ONLY public.stream_slots
    ADD CONSTRAINT stream_slots_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.threads
    ADD CONSTRAINT threads_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.used_keys
    ADD CONSTRAINT used_keys_pkey PRIMARY KEY (key);
CREATE INDEX api_tokens_by_owner ON public.api_tokens USING btree (owner_id);
CREATE INDEX approvals_by_run ON public.approvals USING btree (run_id);
CREATE INDEX approvals_decided ON public.approvals USING btree (owner_id, decided_at) WHERE (decided_at IS NOT NULL);
CREATE INDEX approvals_open ON public.approvals USING btree (expires_at) WHERE (state = ANY (ARRAY['pending'::text, 'approved'::text]));
CREATE INDEX approvals_pending ON public.approvals USING btree (owner_id, run_id) WHERE (state = 'pending'::text);
CREATE INDEX artifacts_by_run ON public.artifacts USING btree (run_id);
CREATE INDEX audit_by_owner ON public.audit USING btree (owner_id, id);
CREATE INDEX audit_by_run ON public.audit USING btree (run_id, id);
CREATE INDEX bron_messages_by_thread ON public.bron_messages USING btree (thread_id, id);
CREATE INDEX brons_by_owner ON public.brons USING btree (owner_id);
CREATE UNIQUE INDEX brons_default ON public.brons USING btree (owner_id) WHERE is_default;
CREATE INDEX effects_by_run ON public.effects USING btree (run_id);
CREATE INDEX effects_in_doubt ON public.effects USING btree (owner_id, updated_at) WHERE ((state = 'unknown'::text) AND (settled_at IS NULL));
CREATE INDEX grants_by_owner ON public.grants USING btree (owner_id, expires_at);
CREATE UNIQUE INDEX oauth_tokens_by_owner ON public.oauth_tokens USING btree (owner_id, provider);
CREATE INDEX rate_turns_by_key ON public.rate_turns USING btree (key, at);
CREATE INDEX rate_turns_gone ON public.rate_turns USING btree (gone_at);
CREATE UNIQUE INDEX rules_once ON public.rules USING btree (owner_id, COALESCE(bron_id, '00000000-0000-0000-0000-000000000000'::uuid), tool);
CREATE INDEX runs_by_bron ON public.runs USING btree (owner_id, bron_id, finished_at);
CREATE INDEX runs_by_owner ON public.runs USING btree (owner_id, created_at DESC, id);
CREATE INDEX runs_by_parent ON public.runs USING btree (parent_run_id) WHERE (parent_run_id IS NOT NULL);
CREATE UNIQUE INDEX runs_idempotency ON public.runs USING btree (owner_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX runs_leased ON public.runs USING btree (owner_id) WHERE (lease_owner IS NOT NULL);
CREATE INDEX runs_runnable ON public.runs USING btree (created_at) WHERE runnable;
CREATE INDEX runs_untold ON public.runs USING btree (parent_run_id) WHERE ((parent_run_id IS NOT NULL) AND (parent_told <> 'over'::text));
CREATE INDEX sessions_by_owner ON public.sessions USING btree (owner_id);
CREATE INDEX sessions_expired ON public.sessions USING btree (expires_at);
CREATE INDEX stream_slots_by_owner ON public.stream_slots USING btree (owner_id);
CREATE UNIQUE INDEX threads_default ON public.threads USING btree (bron_id) WHERE is_default;
CREATE INDEX uploads_by_owner ON public.uploads USING btree (owner_id);
CREATE TRIGGER audit_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
ALTER TABLE ONLY public.allowed
    ADD CONSTRAINT allowed_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.owners(id);
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.owners(id);
ALTER TABLE ONLY public.artifacts
    ADD CONSTRAINT artifacts_owner_id_digest_fkey FOREIGN KEY (owner_id, digest) REFERENCES public.blobs(owner_id, digest);
ALTER TABLE ONLY public.artifacts
    ADD CONSTRAINT artifacts_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.runs(id);
ALTER TABLE ONLY public.blobs
    ADD CONSTRAINT blobs_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.owners(id);
ALTER TABLE ONLY public.bron_messages
    ADD CONSTRAINT bron_messages_bron_id_fkey FOREIGN KEY (bron_id) REFERENCES public.brons(id);
ALTER TABLE ONLY public.bron_messages
    ADD CONSTRAINT bron_messages_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.runs(id);
ALTER TABLE ONLY public.bron_messages
    ADD CONSTRAINT bron_messages_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES public.threads(id);
ALTER TABLE ONLY public.brons
    ADD CONSTRAINT brons_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.owners(id);
ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT contacts_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.owners(id);
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_bron_id_fkey FOREIGN KEY (bron_id) REFERENCES public.brons(id);
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.owners(id);
ALTER TABLE ONLY public.model_keys
    ADD CONSTRAINT model_keys_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.owners(id);
ALTER TABLE ONLY public.oauth_tokens
    ADD CONSTRAINT oauth_tokens_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.owners(id);
ALTER TABLE ONLY public.rules
    ADD CONSTRAINT rules_bron_id_fkey FOREIGN KEY (bron_id) REFERENCES public.brons(id);
ALTER TABLE ONLY public.rules
    ADD CONSTRAINT rules_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.owners(id);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_bron_id_fkey FOREIGN KEY (bron_id) REFERENCES public.brons(id);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.owners(id);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_parent_run_id_fkey FOREIGN KEY (parent_run_id) REFERENCES public.runs(id);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_retry_of_fkey FOREIGN KEY (retry_of) REFERENCES public.runs(id);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES public.threads(id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.owners(id);
ALTER TABLE ONLY public.threads
    ADD CONSTRAINT threads_bron_id_fkey FOREIGN KEY (bron_id) REFERENCES public.brons(id);
ALTER TABLE ONLY public.threads
    ADD CONSTRAINT threads_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.owners(id);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_owner_id_digest_fkey FOREIGN KEY (owner_id, digest) REFERENCES public.blobs(owner_id, digest);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.owners(id);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.runs(id);
