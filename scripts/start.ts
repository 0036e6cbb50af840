/** Runs the tour, after a build where one is due: `npm start [-- OPTIONS]`. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { buildIfStale } from "./build.ts";

const command = path.join(path.dirname(import.meta.dirname), "dist", "bin", "holdfast.js");
try {
  await buildIfStale();
  const options = process.argv.slice(2);
  const tour = spawnSync(process.execPath, [command, "demo", ...options], { stdio: "inherit" });
  process.exitCode = tour.status ?? 1;
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exitCode = 1;
}
