#!/usr/bin/env node
import { main } from "./main.js";
import { survivePipes } from "./run.js";

survivePipes();
process.exitCode = await main(process.argv.slice(2));
