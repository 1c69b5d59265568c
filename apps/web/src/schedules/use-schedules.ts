import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { NewScheduleInput, ScheduleView } from "@bron/protocol";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";

/** The changes that the owner makes to schedules. */
export function useSchedules() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const refetch = () => client.invalidateQueries({ queryKey: queries.schedules().queryKey });
  const keep = (schedule: ScheduleView) =>
    client.setQueryData(queries.schedules().queryKey, (known) =>
      known?.map((one) => (one.id === schedule.id ? schedule : one)),
    );
  const params = (id: string) => ({ params: { id }, body: {} });
  return {
    create: useMutation({
      mutationFn: (body: NewScheduleInput) => api.call("POST /api/schedules", { body }),
      onSuccess: refetch,
    }),
    pause: useMutation({
      mutationFn: (id: string) => api.call("POST /api/schedules/:id/pause", params(id)),
      onSuccess: keep,
    }),
    resume: useMutation({
      mutationFn: (id: string) => api.call("POST /api/schedules/:id/resume", params(id)),
      onSuccess: keep,
    }),
    remove: useMutation({
      mutationFn: (id: string) => api.call("POST /api/schedules/:id/remove", params(id)),
      onSuccess: refetch,
    }),
    /** The same text again, now by the owner. */
    own: useMutation({
      mutationFn: ({ id, prompt }: Pick<ScheduleView, "id" | "prompt">) =>
        api.call("PATCH /api/schedules/:id", { params: { id }, body: { prompt } }),
      onSuccess: keep,
    }),
    run: useMutation({
      mutationFn: (id: string) =>
        api.call("POST /api/schedules/:id/run", {
          ...params(id),
          idempotencyKey: crypto.randomUUID(),
        }),
      onSuccess({ threadId }) {
        void refetch();
        void navigate({ to: "/threads/$threadId", params: { threadId } });
      },
    }),
  };
}
