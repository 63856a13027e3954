import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { type RunOptions, rat } from "../support/cli.js";

const shipped = new URL("../../schemas/", import.meta.url);
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
for (const name of readdirSync(shipped)) ajv.addSchema(JSON.parse(readFileSync(new URL(name, shipped), "utf8")));

/** Runs `rat audit NAME … --json`. @returns its document, which the shipped schema takes */
export async function auditDocument(name: string, args: readonly string[], options: RunOptions = {}) {
  const { code, stdout, stderr } = await rat(["audit", name, ...args, "--json"], options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const document = JSON.parse(stdout);
  ajv.validate(`audit-${name}.schema.json`, document);
  expect(ajv.errors ?? []).toEqual([]);
  return document;
}
