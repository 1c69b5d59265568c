import { useCallback, useEffect, useState } from "react";

export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: string | undefined;
  reload(): void;
}

/** Asks once, and again when told. `key` names what is asked for. */
export function useLoad<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ value?: T; error?: string }>({});
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isOver = false;
    load().then(
      (value) => !isOver && setState({ value }),
      (error: unknown) => !isOver && setState((before) => ({ ...before, error: error instanceof Error ? error.message : String(error) })),
    );
    return () => {
      isOver = true;
    };
    // What is asked for is named by the key; the function is another one at each rendering.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key, round]);
  return { value: state.value, error: state.error, reload: useCallback(() => setRound((before) => before + 1), []) };
}
