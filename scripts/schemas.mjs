// `npm run generate`: writes the JSON Schemas of what `--json` prints and `rat serve` answers, and of network files, from the
// types in src and their comments. They are committed; a test compares them with what this makes.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createGenerator } from "ts-json-schema-generator";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const documents = [
  { name: "fit", file: "src/documents/fit.ts", type: "FitDocument" },
  { name: "sweep", file: "src/documents/sweep.ts", type: "SweepDocument" },
  { name: "compare", file: "src/documents/compare.ts", type: "CompareDocument" },
  { name: "gain", file: "src/documents/gain.ts", type: "GainDocument" },
  { name: "audit-swap", file: "src/documents/audit-swap.ts", type: "AuditSwapDocument" },
  { name: "audit-variance", file: "src/documents/audit-variance.ts", type: "AuditVarianceDocument" },
  { name: "audit-agreement", file: "src/documents/audit-agreement.ts", type: "AuditAgreementDocument" },
  { name: "audit-prevalence", file: "src/documents/audit-prevalence.ts", type: "AuditPrevalenceDocument" },
  { name: "audit-calibration", file: "src/documents/audit-calibration.ts", type: "AuditCalibrationDocument" },
  { name: "audit-latent-class", file: "src/documents/audit-latent-class.ts", type: "AuditLatentClassDocument" },
  { name: "audit-demo", file: "src/documents/audit-demo.ts", type: "AuditDemoDocument" },
  { name: "reproduce", file: "src/documents/reproduce.ts", type: "ReproduceDocument" },
  { name: "doctor", file: "src/documents/doctor.ts", type: "DoctorDocument" },
  { name: "network", file: "src/network/file.ts", type: "NetworkFile" },
  { name: "network-check", file: "src/network/describe.ts", type: "NetworkDocument" },
  { name: "serve", file: "src/serve/protocol.ts", type: "ServeAnswer" },
];

/** The text of every schema, by the name of its file. */
export function schemas() {
  return new Map(documents.map(({ name, file, type }) => [`${name}.schema.json`, schemaOf(name, file, type)]));
}

function schemaOf(name, file, type) {
  const options = { path: at(file), tsconfig: at("tsconfig.json"), type, skipTypeCheck: true, sortProps: false };
  const { $ref, definitions } = createGenerator(options).createSchema(type);
  const { [type]: root, ...others } = definitions;
  if ($ref !== `#/definitions/${type}`) throw new Error(`${file}: ${type} has become ${$ref}`);
  const sorted = Object.fromEntries(
    Object.keys(others)
      .sort()
      .map((key) => [key, others[key]]),
  );
  // The generator writes draft 7, which differs in the name of the definitions alone for what these types need.
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `${name}.schema.json`,
    title: type,
    ...root,
    $defs: sorted,
  };
  return `${JSON.stringify(schema, null, 2).replaceAll('"#/definitions/', '"#/$defs/')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(at("schemas"), { recursive: true });
  for (const [name, text] of schemas()) writeFileSync(at(`schemas/${name}`), text);
}
