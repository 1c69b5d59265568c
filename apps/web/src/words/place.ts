import { placeWords } from "@bron/protocol";

export const placeTexts = {
  ...placeWords,
  /** The argument is a place: "the folder /home/eva/site on evas-laptop". */
  runsIn: (place: string) => `Runs in ${place}`,
  waitsForFolder: "Waiting for its folder",
  waitsForProcess: "Waiting for its process",
  moveTo: (place: string) => `Move to ${place}`,
  moveAnywhere: "Run anywhere",
} as const;
