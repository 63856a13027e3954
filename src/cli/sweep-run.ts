import type { SweepDocument } from "../documents.js";
import { usageError } from "../errors.js";
import { defaultStrategies } from "../experiments/purchase.js";
import { formatRow, type Row, rowHeader } from "../experiments/rows.js";
import type { SweepPlan } from "../sweep.js";
import type { LineWriter, OutputFolder } from "./output.js";
import { readStoredRows } from "./rows-file.js";
import { checkSameRecords, differenceOf, jsonText, type RunRecord, runRecord } from "./run.js";
import type { SweepFlags } from "./sweep.js";
import { sweepFile } from "./sweep-results.js";

/** What a sweep keeps on disk on its way, and finds there when it goes on. */
export class SweepRun {
  /** Refits in the folder. */
  kept = 0;
  level = 0.95;
  /** The folder holds the whole run: its results are shown again, and nothing of it is run. */
  isFinished = false;
  private readonly started: { rows: string; plan: SweepPlan }[] = [];
  private rows: LineWriter | null = null;

  constructor(
    private readonly folder: OutputFolder | null,
    private readonly files: readonly string[],
    private readonly flags: SweepFlags,
    private readonly earlier: RunRecord | null,
    private readonly rowFiles: readonly string[],
    private readonly repeated: RunRecord | undefined,
  ) {}

  /**
   * Finds out whether the run is over. One that was and has lost rows since is gone on with, like one that was
   * interrupted.
   * @returns what was lost, in words
   */
  async look(): Promise<string[]> {
    if (!this.folder?.holds(sweepFile)) return [];
    const lost: string[] = [];
    for (const { rows, plan } of this.earlier?.sources ?? []) {
      let replicates = 0;
      for await (const _ of this.stored(rows, plan)?.replicates ?? []) replicates++;
      const missing = plan.end - plan.first - replicates;
      if (missing > 0) lost.push(`${this.folder.file(rows)}: ${missing} replicates are gone and run again`);
    }
    this.isFinished = lost.length === 0;
    return lost;
  }

  /** @throws RatError (usage) where the folder holds another run than this one */
  async begin(plan: SweepPlan): Promise<void> {
    this.level = plan.sampling.level;
    const number = this.started.push({ rows: this.rowFiles[this.started.length], plan }) - 1;
    const before = (this.earlier ?? this.repeated)?.sources?.[number]?.plan;
    if (this.folder !== null && this.earlier !== null) {
      const difference = differenceOf(this.record(plan), this.earlier);
      if (difference !== null) throw usageError(`--resume ${this.folder.path}: this is another run: ${difference}`);
    }
    if (before !== undefined) checkSameRecords(recordsOf(plan), recordsOf(before));
    if (!this.isFinished) await this.folder?.write("run.json", jsonText(this.record(plan)));
  }

  /** Rows that are there already; then rows can be kept. */
  async *finished(plan: SweepPlan): AsyncGenerator<readonly Row[]> {
    if (this.folder === null) return;
    const name = this.rowFiles[this.started.length - 1];
    const stored = this.stored(name, plan);
    for await (const rows of stored?.replicates ?? []) {
      this.kept += rows.length;
      yield rows;
    }
    if (this.isFinished) return;
    const bytes = stored?.bytes() ?? 0;
    this.rows = await this.folder.append(name, bytes);
    if (bytes === 0) await this.rows.write([rowHeader(plan.quantities)]);
  }

  async keep(rows: readonly Row[]): Promise<void> {
    await this.rows?.write(rows.map(formatRow));
    this.kept += rows.length;
  }

  async end(): Promise<void> {
    await this.rows?.close();
    this.rows = null;
  }

  /** The document of a finished run is the one that it left: its seconds are those of the work. */
  async documentOf(document: SweepDocument): Promise<SweepDocument> {
    return this.isFinished ? ((await this.folder?.readJson(sweepFile)) as SweepDocument) : document;
  }

  private stored(name: string, plan: SweepPlan) {
    return this.folder?.holds(name) ? readStoredRows(this.folder.file(name), plan) : null;
  }

  private record({ sampling, engine, adapter }: SweepPlan): RunRecord {
    const { out: _out, overwrite: _overwrite, resume: _resume, ...given } = this.flags;
    const options = { strategies: [defaultStrategies], ...given, ...sampling };
    const { seed } = sampling;
    // What is known of sources that are yet to begin stays known, should this run end before.
    const sources = [...this.started, ...(this.earlier?.sources ?? []).slice(this.started.length)];
    return runRecord({ command: "sweep", files: this.files, options, seed, engine, adapter, sources });
  }
}

const recordsOf = ({ source, population }: SweepPlan) => ({ source, population });
