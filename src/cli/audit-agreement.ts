import { Command, Option } from "commander";
import { defaultReplicates, mostReplicates } from "../audit/agreement/replicates.js";
import type { LabelledItem, Scale } from "../audit/agreement.js";
import type { AuditAgreementDocument } from "../documents.js";
import { dataError, usageError } from "../errors.js";
import { judgesIn, listIn, numberIn, seedOf } from "./audit-options.js";
import type { AuditRow } from "./audit-rows.js";
import { type AuditFlags, addAuditOptions, auditFileArgument, runAudit } from "./audit-run.js";

interface AgreementFlags extends AuditFlags {
  judges?: string;
  scale?: Scale;
  categories?: string;
  replicates?: string;
  seed?: string;
}

export function auditAgreementCommand(): Command {
  const command = new Command("agreement")
    .description("how far judges agree beyond chance: kappa, pi, AC1, Krippendorff's alpha, with their marginals")
    .argument(...auditFileArgument)
    .option(
      "--judges <columns>",
      'a row an item, a column a judge, separated by commas, as in a,"b,c" (default: all but id and --cluster)',
    )
    .addOption(
      new Option("--scale <scale>", "of the labels (default: nominal)").choices(["nominal", "ordinal", "interval"]),
    )
    .option(
      "--categories <labels>",
      "all labels there may be, in order, separated by commas (default: those that occur)",
    )
    .option("--replicates <number>", `bootstrap samples of Krippendorff's alpha (default: ${defaultReplicates})`)
    .option("--seed <number>", "of the bootstrap (default: random, always reported)");
  return addAuditOptions(command, "ac1 < 0.6").action(runAgreement);
}

export async function runAgreement(file: string, flags: AgreementFlags): Promise<void> {
  const [{ auditAgreement, categoryOf }, { agreementNotes, agreementText }, cells] = await Promise.all([
    import("../audit/agreement.js"),
    import("../report/audit-agreement.js"),
    import("./audit-rows.js"),
  ]);
  const seed = seedOf(flags.seed);
  const replicates = numberIn(
    "--replicates",
    flags.replicates,
    defaultReplicates,
    `a whole number from 0 to ${mostReplicates}`,
    (value) => Number.isInteger(value) && value >= 0 && value <= mostReplicates,
  );
  const { scale = "nominal", cluster } = flags;
  const named = flags.judges === undefined ? undefined : judgesIn(flags.judges);
  const categories = flags.categories === undefined ? undefined : listIn(flags.categories);
  const known = categories?.map((name) => categoryOf(name, scale));
  if (cluster !== undefined && named?.includes(cluster)) {
    throw usageError(`column ${JSON.stringify(cluster)} can't be both a judge and --cluster`);
  }
  if (named?.length === 1) throw usageError("--judges names one column: agreement is of two judges or more");
  await runAudit<AuditAgreementDocument>({
    name: "agreement",
    file,
    flags,
    seed,
    audit: (rows, source, level) => {
      const clusters = cells.clustersIn(rows, cluster);
      const judges =
        named ?? cells.columnsOf(rows).filter((column) => !/^(?:id)?$/i.test(column) && column !== cluster);
      if (named !== undefined) cells.checkJudges(rows, named);
      if (judges.length < 2) {
        const found = judges.length === 0 ? "none" : `one, ${JSON.stringify(judges[0])}`;
        throw dataError(`a column a judge is needed, two or more, and there is ${found}`, { file: source });
      }
      // One row at a time: of a million, items would take more than the rows.
      const itemOf = (row: AuditRow): LabelledItem => ({
        labels: judges.map((judge) => {
          if (scale === "interval") cells.numberOf(row, judge);
          const label = cells.labelOf(row, judge);
          if (label !== null && known !== undefined && !known.includes(categoryOf(label, scale))) {
            const remedy = `expected one of --categories ${categories?.join(", ")}, or a blank where it is missing`;
            return cells.refuse(row, judge, remedy);
          }
          if (label !== null && scale === "ordinal" && categories === undefined && !isNumber(label)) {
            const remedy = "name them in order, as in --categories poor,fair,good";
            const message = `labels such as ${JSON.stringify(label)} have no order of their own: ${remedy}`;
            throw dataError(message, cells.placeOf(row, judge));
          }
          return label;
        }),
      });
      const given = { judges, categories, scale, level, replicates, seed, clusters };
      const audit = auditAgreement(itemsOf(rows, itemOf), given);
      return { source, level, seed, replicates, ...audit, notes: agreementNotes(cluster) };
    },
    text: agreementText,
    figures: async (document) => {
      const { agreementFigure, undrawn } = await import("../report/audit-agreement-figure.js");
      const figure = await agreementFigure(document);
      if (figure !== null) return { "audit-agreement": figure };
      if (!flags.quiet) process.stderr.write(`rat: there is no figure: ${undrawn(document)}\n`);
      return {};
    },
    numbers: ({ all, pairs, comparable }) => ({
      raw: all.raw,
      fleissKappa: all.fleissKappa,
      ac1: all.ac1,
      alpha: all.alpha.nominal,
      ...(all.alpha.ordinal === null ? {} : { alphaOrdinal: all.alpha.ordinal }),
      ...(all.alpha.interval === null ? {} : { alphaInterval: all.alpha.interval }),
      ...(pairs.length === 1 ? { cohenKappa: pairs[0].cohenKappa, scottPi: pairs[0].scottPi } : {}),
      comparable,
    }),
  });
}

function* itemsOf(rows: readonly AuditRow[], itemOf: (row: AuditRow) => LabelledItem): Generator<LabelledItem> {
  for (const row of rows) yield itemOf(row);
}

const isNumber = (text: string): boolean => Number.isFinite(Number(text));
