// A lock between processes that share a folder. It is a directory that names its holder, moved into
// place in one atomic step.
import { randomUUID } from "node:crypto";
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const heartbeatMs = 1_000;
const silentMs = 30_000;

/**
 * Waits until the lock is free or its holder is gone, then takes it. Resolves to a function that
 * releases the lock.
 */
export async function takeLock(path, onWait) {
  const own = { token: randomUUID(), pid: process.pid, host: hostname() };
  const isSilent = createSilenceDetector(path);
  const setAside = [];
  let hasNotified = false;
  while (!tryToTake(path, own)) {
    const holder = readHolder(path);
    if (holder && (isDead(holder) || isSilent())) {
      setAside.push(moveAside(path, holder));
      continue;
    }
    if (holder && !hasNotified) {
      hasNotified = true;
      onWait(holder.pid);
    }
    await sleep(200);
  }
  const heartbeat = setInterval(() => touch(path), heartbeatMs);
  return () => {
    clearInterval(heartbeat);
    for (const folder of [path, ...setAside]) rmSync(folder, { recursive: true, force: true });
  };
}

/** A rename cannot replace a directory that has files in it, so exactly one process succeeds. */
function tryToTake(path, own) {
  const prepared = `${path}.${own.token}`;
  mkdirSync(prepared, { recursive: true });
  writeFileSync(join(prepared, "holder.json"), JSON.stringify(own));
  try {
    renameSync(prepared, path);
    return true;
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    if (["ENOTEMPTY", "EEXIST", "EPERM"].includes(error.code)) return false;
    throw error;
  }
}

/**
 * Moves a dead holder's lock away, to a name that contains the holder's token. A second process
 * that found the same holder dead cannot reuse that name, so it cannot move away the lock of the
 * first.
 */
function moveAside(path, holder) {
  const aside = `${path}.gone-${holder.token}`;
  try {
    renameSync(path, aside);
  } catch {
    // Another process was first.
  }
  return aside;
}

function readHolder(path) {
  try {
    return JSON.parse(readFileSync(join(path, "holder.json"), "utf8"));
  } catch {
    return undefined;
  }
}

function isDead(holder) {
  if (holder.host !== hostname()) return false;
  try {
    process.kill(holder.pid, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

/**
 * Detects a dead holder that runs on another host, or whose pid now belongs to another process:
 * this process has seen no heartbeat for half a minute.
 */
function createSilenceDetector(path) {
  let lastHeartbeat;
  let seenAt = performance.now();
  return () => {
    const heartbeat = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (heartbeat !== lastHeartbeat) seenAt = performance.now();
    lastHeartbeat = heartbeat;
    return performance.now() - seenAt > silentMs;
  };
}

function touch(path) {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // Another process took the lock. The install continues, and npm reports any conflict.
  }
}
