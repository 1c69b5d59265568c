import type { ModelProvider } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { connectionsWords } from "../words/connections.ts";
import { Button } from "../ui/button.tsx";
import { Field, inputClass } from "../ui/field.tsx";
import { Problem } from "../ui/states.tsx";

const words = connectionsWords;

interface ModelKeyFormProps {
  readonly provider: ModelProvider;
  onClose(): void;
}

export function ModelKeyForm({ provider, onClose }: ModelKeyFormProps) {
  const [key, setKey] = useState("");
  const [model, setModel] = useState("");
  const isModelNeeded = provider === "openai";
  const client = useQueryClient();
  const put = useMutation({
    mutationFn: () =>
      api.call("PUT /api/model-keys/:provider", {
        params: { provider },
        body: { key, ...(model.trim() === "" ? {} : { model }) },
      }),
    onSuccess({ modelKeys }) {
      client.setQueryData(queries.modelKeys().queryKey, modelKeys);
      void client.invalidateQueries({ queryKey: ["models"] });
      onClose();
    },
  });
  return (
    <form
      className="grid grid-cols-1 gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        put.mutate();
      }}
    >
      <Field label={words.key} hint={words.keyHint}>
        {(ids) => (
          <input
            {...ids}
            type="password"
            autoFocus
            required
            minLength={8}
            autoComplete="off"
            spellCheck={false}
            value={key}
            onChange={({ target }) => setKey(target.value)}
            className={inputClass}
          />
        )}
      </Field>
      <Field label={words.model} hint={isModelNeeded ? words.modelNeeded : words.modelHint}>
        {(ids) => (
          <input
            {...ids}
            required={isModelNeeded}
            autoComplete="off"
            spellCheck={false}
            value={model}
            onChange={({ target }) => setModel(target.value)}
            className={inputClass}
          />
        )}
      </Field>
      <Problem error={put.error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button
          type="submit"
          kind="main"
          disabled={
            key.trim().length < 8 || (isModelNeeded && model.trim() === "") || put.isPending
          }
        >
          {put.isPending ? words.testing : words.save}
        </Button>
      </div>
    </form>
  );
}
