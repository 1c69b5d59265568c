// A model in its own process. It speaks Gemini's streaming wire protocol with as little work as
// possible, so that the caller is measured. Its responses depend only on the task. See `promptOf`.
import { createServer } from "node:http";

const modelTurn = Buffer.from('"role":"model"');
const task = Buffer.from("steps=");
const structured = Buffer.from('"responseMimeType":"application/json"');
const signature = Buffer.alloc(120, "s").toString("base64");

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { body, delayMs } = responseFor(Buffer.concat(chunks));
    const send = () =>
      response
        .writeHead(200, { "content-type": "text/event-stream", "content-length": body.length })
        .end(body);
    if (delayMs > 0) setTimeout(send, delayMs);
    else send();
  });
});

/**
 * The request is not parsed, because the history of a long run would cost more here than in the
 * loop. Earlier tasks of the thread come before the last one.
 */
function responseFor(request: Buffer): { body: Buffer; delayMs: number } {
  const start = request.lastIndexOf(task);
  const [, steps = "1", tool = "echo", delayMs = "0"] =
    /^steps=(\d+) tool=(\w+) delayMs=(\d+)/.exec(request.toString("latin1", start, start + 80)) ??
    [];
  let turn = 0;
  for (
    let at = request.indexOf(modelTurn, start);
    at >= 0;
    at = request.indexOf(modelTurn, at + modelTurn.length)
  )
    turn++;
  // Bron asks how the task went, because this model does not say so by itself.
  const isOutcome = request.includes(structured);
  const isLast = isOutcome || turn + 1 >= Number(steps);
  const lastText = isOutcome ? '{"outcome":"done"}' : "All steps are done.";
  const call = {
    functionCall: {
      id: `call-${turn}`,
      name: tool,
      args: { text: `line ${turn} of what the model wants to have echoed` },
    },
    thoughtSignature: signature,
  };
  const events = [
    {
      candidates: [
        {
          content: {
            role: "model",
            parts: [{ text: isLast ? lastText : `Step ${turn} comes next.` }],
          },
          index: 0,
        },
      ],
    },
    {
      candidates: [
        {
          content: { role: "model", parts: isLast ? [{ text: "" }] : [call] },
          finishReason: "STOP",
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: Math.ceil(request.length / 4),
        candidatesTokenCount: 30,
        totalTokenCount: Math.ceil(request.length / 4) + 30,
      },
    },
  ];
  return {
    body: Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join("")),
    delayMs: Number(delayMs),
  };
}

server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object")
    process.send?.({ ready: `http://127.0.0.1:${address.port}/v1beta` });
});
process.on("disconnect", () => process.exit(0));
