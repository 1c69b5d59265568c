// Bron as an MCP server, with the official client.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { defineTool } from "@bron/core";
import { scriptedLanguageModel, type Script } from "@bron/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
