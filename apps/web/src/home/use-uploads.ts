import type { UploadView } from "@bron/protocol";
import { useCallback, useRef } from "react";
import { api } from "../api.ts";

/** Uploads a file once, also if what it is for is tried again. */
export function useUploads(): (file: File) => Promise<UploadView> {
  const uploads = useRef(new WeakMap<File, Promise<UploadView>>());
  return useCallback((file) => {
    const known = uploads.current.get(file);
    if (known) return known;
    const upload = api.upload({
      filename: file.name,
      contentType: file.type || "application/octet-stream",
      bytes: file,
    });
    uploads.current.set(file, upload);
    upload.catch(() => uploads.current.delete(file));
    return upload;
  }, []);
}
