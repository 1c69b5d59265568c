import { trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { setTimeout as sleep } from "node:timers/promises";
import { version } from "./version.ts";

const exportMs = 5_000;
/** An unreachable collector delays the exit of the process by at most this time. */
const closeMs = 3_000;
/** Limit of one attribute, because prompts and results can be long. */
const maxCharacters = 50_000;

/**
 * Sends the spans of this process to a collector, in batches and in the background. Drops spans
 * that the collector does not accept.
 */
export function startTraces(endpoint: string): { close(): Promise<void> } {
  const url = new URL("v1/traces", endpoint.endsWith("/") ? endpoint : `${endpoint}/`).href;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "bron", "service.version": version }),
    spanLimits: { attributeValueLengthLimit: maxCharacters },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url, timeoutMillis: exportMs }),
        exportTimeoutMillis: exportMs,
      }),
    ],
  });
  trace.setGlobalTracerProvider(provider);
  return {
    async close() {
      trace.disable();
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        sleep(closeMs, undefined, { ref: false }),
      ]);
    },
  };
}
