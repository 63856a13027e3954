import type { VoteRow } from "../audit/latent-class/votes.js";
import type { AuditRow } from "./audit-rows.js";
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

export interface ReadVotes {
  /** Read from the rows when asked for: gold and clusters are known when all have been. */
  readonly votes: Iterable<VoteRow>;
  /** Of the items that have it. */
  readonly gold: ReadonlyMap<string, ItemFact>;
  /** Of every item, with --cluster. */
  readonly clusters: ReadonlyMap<string, ItemFact>;
}

/** @throws RatError (usage) for flags that don't go together; what it returns, (data) for cells */
export async function voteReader(flags: VoteFlags): Promise<(rows: readonly AuditRow[]) => ReadVotes> {
  const [cells, { dataError, usageError }] = await Promise.all([import("./audit-rows.js"), import("../errors.js")]);
  const { item = "item", judge = "judge", vote = "vote", gold: goldColumn, cluster: clusterColumn } = flags;
  const facts = {
    ...(goldColumn === undefined ? {} : { "--gold": goldColumn }),
    ...(clusterColumn === undefined ? {} : { "--cluster": clusterColumn }),
  };
  const nameIn = (row: AuditRow, column: string): string =>
    cells.labelOf(row, column) ?? cells.refuse(row, column, "expected a name");

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
        const name = nameIn(row, item);
        see(name, row);
        yield { item: name, judge: nameIn(row, judge), label: cells.labelOf(row, vote) };
      }
    }
    return { votes: votes(), ...known };
  };
  if (flags.judges === undefined) return long;
  const idle = (["judge", "vote"] as const).find((name) => flags[name] !== undefined);
  if (idle !== undefined) throw usageError(`--${idle} is for a row a vote, and --judges for a row an item`);
  const named = flags.judges.split(",").map((name) => name.trim());
  const judges = named.filter((name) => name !== "");
  if (judges.length === 0) throw usageError("--judges needs the names of columns, separated by commas");
  const twice = judges.find((name, k) => judges.indexOf(name) < k);
  if (twice !== undefined) throw usageError(`--judges names column ${JSON.stringify(twice)} twice`);

  return (rows) => {
    const columns = cells.columnsOf(rows);
    const lost = judges.find((name) => !columns.includes(name));
    if (lost !== undefined) cells.checkColumns(rows, { "--judges": lost });
    const hasItem = flags.item !== undefined || columns.includes(item);
    cells.checkColumns(rows, { ...(hasItem ? { "--item": item } : {}), ...facts });
    const taken = judges.find((name) => (hasItem && name === item) || Object.values(facts).includes(name));
    if (taken !== undefined) {
      throw usageError(`column ${JSON.stringify(taken)} can't be a judge and something else, too`);
    }
    const lines = new Map<string, number>();
    const { see, ...known } = readers();
    function* votes(): Iterable<VoteRow> {
      for (const row of rows) {
        const name = hasItem ? nameIn(row, item) : `line ${row.line}`;
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
