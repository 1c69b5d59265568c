import { queryOptions } from "@tanstack/react-query";
import { api } from "../api.ts";

/** Skills change rarely, and only few pages show them. */
export const skillQueries = {
  all: () =>
    queryOptions({ queryKey: ["skills"], queryFn: async () => await api.call("GET /api/skills") }),
  one: (name: string) =>
    queryOptions({
      queryKey: ["skills", name],
      queryFn: async () => await api.call("GET /api/skills/:name", { params: { name } }),
    }),
};
