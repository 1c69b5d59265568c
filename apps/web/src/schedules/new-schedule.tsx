import { omitUndefined, watchSources, type Timing, type WatchSource } from "@bron/protocol";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { schedulesWords } from "../words/schedules.ts";
import { useDebounced } from "../use-debounced.ts";
import { Button } from "../ui/button.tsx";
import { Choices } from "../ui/choices.tsx";
import { Field, inputClass } from "../ui/field.tsx";
import { Problem } from "../ui/states.tsx";
import { limitsOf, MoreOptions, noOptions } from "./more-options.tsx";
import { Select } from "./select.tsx";
import { shortTime } from "./short-time.ts";
import { TimingFields } from "./timing-fields.tsx";
import { ownZone, timingOf, type TimingForm } from "./timing-of.ts";
import { useSchedules } from "./use-schedules.ts";

const firstTiming: TimingForm = {
  repeat: "weekdays",
  time: "08:00",
  day: "1",
  date: "",
  cron: "",
};
/** How often a watch looks. */
const pollInterval = "5m";

/** The form of a new schedule or watch. */
export function NewSchedule({ onClose }: { onClose(): void }) {
  const { create } = useSchedules();
  const [prompt, setPrompt] = useState("");
  const [bronId, setBronId] = useState("");
  const [starts, setStarts] = useState<"time" | "watch">("time");
  const [timing, setTiming] = useState(firstTiming);
  const [source, setSource] = useState<WatchSource>("gmail");
  const [query, setQuery] = useState("");
  const [options, setOptions] = useState(noOptions);
  const zone = ownZone();
  const when: Timing | undefined =
    starts === "watch"
      ? { kind: "interval", expression: pollInterval, zone }
      : timingOf(timing, zone);
  const canCreate =
    prompt.trim() !== "" &&
    when !== undefined &&
    (starts === "time" || query.trim() !== "" || source === "calendar");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!canCreate || when === undefined) return;
    create.mutate(
      {
        prompt: prompt.trim(),
        ...when,
        ...(starts === "watch" ? { watch: { source, query: query.trim() } } : {}),
        ...omitUndefined({ bronId: bronId === "" ? undefined : bronId }),
        ...limitsOf(options),
      },
      { onSuccess: onClose },
    );
  };
  return (
    <form className="grid grid-cols-1 gap-5" onSubmit={submit}>
      <Field label={schedulesWords.task} hint={schedulesWords.taskHint}>
        {(ids) => (
          <textarea
            {...ids}
            autoFocus
            required
            rows={3}
            maxLength={20_000}
            value={prompt}
            placeholder={schedulesWords.taskPlaceholder}
            onChange={({ target }) => setPrompt(target.value)}
            className={inputClass}
          />
        )}
      </Field>
      <BronChoice value={bronId} onChange={setBronId} />
      <Choices
        label={schedulesWords.starts}
        value={starts}
        options={(["time", "watch"] as const).map((value) => ({
          value,
          name: schedulesWords.startsOptions[value],
        }))}
        onChange={setStarts}
      />
      {starts === "time" ? (
        <>
          <TimingFields value={timing} onChange={setTiming} />
          <NextTimes timing={when} />
        </>
      ) : (
        <WatchFields source={source} query={query} onSource={setSource} onQuery={setQuery} />
      )}
      <MoreOptions value={options} onChange={setOptions} hasTimes={starts === "time"} />
      <Problem error={create.error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" kind="main" disabled={!canCreate || create.isPending}>
          {create.isPending ? schedulesWords.creating : schedulesWords.createSchedule}
        </Button>
      </div>
    </form>
  );
}

function BronChoice({ value, onChange }: { readonly value: string; onChange(id: string): void }) {
  const { data: brons = [] } = useQuery(queries.brons());
  if (brons.length < 2) return null;
  return (
    <Select
      label={schedulesWords.bron}
      value={value === "" ? (brons.find(({ isDefault }) => isDefault)?.id ?? "") : value}
      options={brons.map(({ id, name }) => ({ value: id, name }))}
      onChange={onChange}
    />
  );
}

/** The next three times of what the form says, or what is wrong with it. */
function NextTimes({ timing }: { readonly timing: Timing | undefined }) {
  const settled = useDebounced(timing === undefined ? "" : JSON.stringify(timing), 250);
  const preview = useQuery({
    ...queries.schedulePreview(settled),
    enabled: settled !== "",
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (timing === undefined) return null;
  if (preview.error) return <Problem error={preview.error} />;
  return (
    <p className="min-h-10 text-sm text-quiet" role="status">
      {preview.data &&
        schedulesWords.preview(
          preview.data.words,
          preview.data.nextTimes.map((at) => shortTime(at)).join(" · "),
        )}
    </p>
  );
}

function WatchFields({
  source,
  query,
  onSource,
  onQuery,
}: {
  readonly source: WatchSource;
  readonly query: string;
  onSource(source: WatchSource): void;
  onQuery(query: string): void;
}) {
  return (
    <div className="grid grid-cols-1 gap-5 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <Select
        label={schedulesWords.source}
        value={source}
        options={watchSources.map((one) => ({ value: one, name: schedulesWords.sources[one] }))}
        onChange={onSource}
      />
      <Field label={schedulesWords.query[source]} hint={schedulesWords.watchHint}>
        {(ids) => (
          <input
            {...ids}
            maxLength={2_000}
            autoComplete="off"
            spellCheck={false}
            value={query}
            placeholder={schedulesWords.queryPlaceholder[source]}
            onChange={({ target }) => onQuery(target.value)}
            className={inputClass}
          />
        )}
      </Field>
    </div>
  );
}
