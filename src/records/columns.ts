import { dataError, type ErrorPlace, usageError } from "../errors.js";
import type { CompiledNetwork } from "../network/compiled.js";
import { show } from "../values.js";
import { showList } from "./row.js";

/** What a column is for: the index of a variable of the network, or one of these. */
export const ignoredColumn = -1;
export const countColumn = -2;
/** Known and not reported as ignored, but not counted either: `id`, or the column that groups the records. */
export const otherColumn = -3;

export interface ColumnOptions {
  /** Column by variable (or `n`, `id`), where names differ. */
  readonly map?: Readonly<Record<string, string>> | undefined;
  /** Column whose values group the records. */
  readonly by?: string | undefined;
}

/**
 * Which column is which variable. Columns are made known as they appear: rows of JSON lines need not have the same
 * ones, so that what is missing can be told only at the end.
 */
export class Columns {
  private readonly roles = new Map<string, number>();
  private readonly columnOf = new Map<number, string>();
  private readonly mapped = new Map<string, number>();
  private readonly ignored: string[] = [];

  /** @throws RatError (usage) if the map names no variable, or one column twice. */
  constructor(
    private readonly network: Pick<CompiledNetwork, "name" | "variables">,
    private readonly options: ColumnOptions,
    private readonly place: ErrorPlace,
  ) {
    for (const [name, column] of Object.entries(options.map ?? {})) {
      const role = this.roleNamed(name);
      if (role === ignoredColumn) {
        throw usageError(`no variable ${show(name)} to map a column to; there are ${this.variableNames()}, n and id`);
      }
      if (this.mapped.has(column)) throw usageError(`column ${show(column)} is mapped to two variables`);
      this.mapped.set(column, role);
    }
  }

  /** The columns that are neither a variable nor otherwise known, in order of appearance. */
  get ignoredColumns(): readonly string[] {
    return this.ignored;
  }

  /** @throws RatError (data) if another column is already the same variable. */
  roleOf(column: string): number {
    return this.roles.get(column) ?? this.resolve(column);
  }

  /** The column that is a variable; undefined if there was none. */
  columnName(variable: number): string | undefined {
    return this.columnOf.get(variable);
  }

  /** @throws RatError once all columns are known: (usage) options name one that isn't there, (data) no variable. */
  check(): void {
    // Usage errors have no place of their own, so that the message has to name the file.
    const at = this.place.file === undefined ? "" : `${this.place.file}: `;
    const known = [...this.roles.keys()].filter((name) => name !== "");
    for (const [column, role] of this.mapped) {
      if (this.roles.has(column)) continue;
      throw usageError(`${at}no column ${show(column)} to map to ${this.roleName(role)}; ${listed(known)}`);
    }
    const { by } = this.options;
    if (by !== undefined && !this.roles.has(by)) {
      throw usageError(`${at}no column ${show(by)} to group by; ${listed(known)}`);
    }
    if (this.network.variables.every((_, v) => !this.columnOf.has(v))) {
      const variables = `network ${this.network.name} (${this.variableNames()})`;
      throw dataError(
        `no column is a variable of ${variables}; ${listed(known)}. Map them with --map, e.g. R=COLUMN`,
        this.place,
      );
    }
  }

  private resolve(column: string): number {
    let role = this.mapped.get(column);
    if (role === undefined) {
      role = this.roleNamed(column);
      // A mapped variable is where the map says, even if another column has its name.
      if ([...this.mapped.values()].includes(role)) role = ignoredColumn;
    }
    const other = this.columnOf.get(role);
    if (other !== undefined && role !== otherColumn) {
      const name = this.roleName(role);
      throw dataError(
        `columns ${show(other)} and ${show(column)} are both ${name}; choose with --map ${name}=COLUMN`,
        this.place,
      );
    }
    if (role === ignoredColumn && column === this.options.by) role = otherColumn;
    if (role !== ignoredColumn) this.columnOf.set(role, column);
    else if (column !== "") this.ignored.push(column);
    this.roles.set(column, role);
    return role;
  }

  /** By exact name, then in any case, then without underscores (`RJ` for `R_J`), where only one variable fits. */
  private roleNamed(name: string): number {
    const { variables } = this.network;
    const exact = variables.findIndex((variable) => variable.name === name);
    if (exact >= 0) return exact;
    const wanted = name.toLowerCase();
    for (const spelling of [(text: string) => text, (text: string) => text.replaceAll("_", "")]) {
      const fits = variables.flatMap((variable, v) => (spelling(variable.name.toLowerCase()) === wanted ? [v] : []));
      if (fits.length === 1) return fits[0];
    }
    if (wanted === "n") return countColumn;
    return wanted === "id" ? otherColumn : ignoredColumn;
  }

  private roleName(role: number): string {
    if (role >= 0) return this.network.variables[role].name;
    return role === countColumn ? "n" : "id";
  }

  private variableNames(): string {
    return this.network.variables.map(({ name }) => name).join(", ");
  }
}

const listed = (columns: readonly string[]): string => `the columns are ${showList(columns.map(show), 20)}`;
