import type { VoteRow } from "../audit/latent-class/votes.js";
import { dataError, usageError } from "../errors.js";
import { judgesIn } from "./audit-options.js";
import type { AuditRow } from "./audit-rows.js";
import * as cells from "./audit-rows.js";
import type { AuditFlags } from "./audit-run.js";

export interface VoteFlags extends AuditFlags {
  item?: string;
  judge?: string;
  vote?: string;
  judges?: string;
  gold?: string;
}

/** What a file says of an item, and where it says so first. */
export interface ItemFact {
  readonly label: string;
  readonly line: number;
}

interface ReadVotes {
  /** Read from the rows when asked for: gold and clusters are known when all have been. */
  readonly votes: Iterable<VoteRow>;
  /** Of the items that have it. */
  readonly gold: ReadonlyMap<string, ItemFact>;
  /** Of every item, with --cluster. */
  readonly clusters: ReadonlyMap<string, ItemFact>;
}

/** @throws RatError (usage) for flags that don't go together; what it returns, (data) for cells */
export function voteReader(flags: VoteFlags): (rows: readonly AuditRow[]) => ReadVotes {
  const { item = "item", judge = "judge", vote = "vote", gold: goldColumn, cluster: clusterColumn } = flags;
  const facts = { "--gold": goldColumn, "--cluster": clusterColumn };

  /** Facts of items that a column holds; rows of an item can't differ in them. */
  const factReader = (column: string | undefined, what: string, needed: boolean) => {
    const known = new Map<string, ItemFact>();
    const see = (name: string, row: AuditRow): void => {
      if (column === undefined) return;
      const label = cells.labelOf(row, column);
      if (label === null) {
        if (needed) cells.refuse(row, column, `expected the name of a ${what}`);
        return;
      }
      const before = known.get(name);
      if (before === undefined) known.set(name, { label, line: row.line });
      else if (before.label !== label) {
        const said = `${JSON.stringify(before.label)} in line ${before.line}`;
        cells.refuse(row, column, `expected the ${what} that item ${JSON.stringify(name)} has already, ${said}`);
      }
    };
    return { known, see };
  };
  const readers = () => {
    const gold = factReader(goldColumn, "gold", false);
    const clusters = factReader(clusterColumn, "cluster", true);
    const see = (name: string, row: AuditRow): void => {
      gold.see(name, row);
      clusters.see(name, row);
    };
    return { gold: gold.known, clusters: clusters.known, see };
  };

  const long = (rows: readonly AuditRow[]): ReadVotes => {
    const columns = cells.columnsOf(rows);
    if ([judge, vote].every((name) => !columns.includes(name))) {
      const remedy = "name them with --judge and --vote or, where each judge has a column, those with --judges a,b,c";
      throw dataError(`no columns ${JSON.stringify(judge)} and ${JSON.stringify(vote)}: ${remedy}`, {
        file: rows[0].file,
      });
    }
    cells.checkColumns(rows, { "--item": item, "--judge": judge, "--vote": vote, ...facts });
    const { see, ...known } = readers();
    function* votes(): Iterable<VoteRow> {
      for (const row of rows) {
        const name = cells.nameOf(row, item);
        see(name, row);
        yield { item: name, judge: cells.nameOf(row, judge), label: cells.labelOf(row, vote) };
      }
    }
    return { votes: votes(), ...known };
  };
  if (flags.judges === undefined) return long;
  const idle = (["judge", "vote"] as const).find((name) => flags[name] !== undefined);
  if (idle !== undefined) throw usageError(`--${idle} is for a row a vote, and --judges for a row an item`);
  const judges = judgesIn(flags.judges);

  return (rows) => {
    const columns = cells.columnsOf(rows);
    cells.checkJudges(rows, judges);
    const hasItem = flags.item !== undefined || columns.includes(item);
    cells.checkColumns(rows, { "--item": hasItem ? item : undefined, ...facts });
    const taken = judges.find((name) => (hasItem && name === item) || Object.values(facts).includes(name));
    if (taken !== undefined) {
      throw usageError(`column ${JSON.stringify(taken)} can't be a judge and something else, too`);
    }
    const lines = new Map<string, number>();
    const { see, ...known } = readers();
    function* votes(): Iterable<VoteRow> {
      for (const row of rows) {
        const name = hasItem ? cells.nameOf(row, item) : `line ${row.line}`;
        const before = lines.get(name);
        if (before !== undefined) {
          const remedy = "with --judges each item has one row";
          const what = `item ${JSON.stringify(name)} is in line ${before} already; ${remedy}`;
          throw dataError(what, cells.placeOf(row, item));
        }
        lines.set(name, row.line);
        see(name, row);
        for (const own of judges) yield { item: name, judge: own, label: cells.labelOf(row, own) };
      }
    }
    return { votes: votes(), ...known };
  };
}
