import { trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { setTimeout as sleep } from "node:timers/promises";
import { version } from "./version.ts";

const exportMs = 5_000;
/** A collector that is away does not keep a process from ending. */
const closeMs = 3_000;
/** Of one attribute: prompts and results can be long. */
const maxCharacters = 50_000;

/** Spans of this process go to a collector, in batches and beside the work; those that it does not take are lost. */
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
