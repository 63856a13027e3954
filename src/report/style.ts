/** How each strategy looks in a figure: by colour, symbol and dash at once, so that any one of them is enough. */

export interface StrategyStyle {
  /** Safe for the common kinds of colour blindness, and of different lightness, for greyscale print. */
  readonly colour: string;
  /** One of Plot's symbols. */
  readonly symbol: "circle" | "square" | "triangle" | "diamond" | "star" | "cross" | "wye";
  /** Open symbols are white inside. */
  readonly open: boolean;
  /** SVG dash array; null: solid. */
  readonly dash: string | null;
}

export const baseStyle: StrategyStyle = { colour: "#5b6470", symbol: "diamond", open: false, dash: null };

/** Joint labels dark, R blue, T red and orange; lightness (CIE L*) 11, 40, 27, 60, 70. Halves have open symbols. */
const known: Readonly<Record<string, StrategyStyle>> = {
  "all-joint": { colour: "#101c38", symbol: "circle", open: false, dash: null },
  "half-joint-R": { colour: "#1f5fa6", symbol: "square", open: true, dash: "8 3" },
  "half-joint-T": { colour: "#7a1f0d", symbol: "triangle", open: true, dash: "8 3 2 3" },
  "all-R": { colour: "#3f97d3", symbol: "square", open: false, dash: "4 2.5" },
  "all-T": { colour: "#ec9a35", symbol: "triangle", open: false, dash: "1.5 2.5" },
};

const spareColours = ["#0e7c66", "#a8508f", "#8a8420", "#6d5bd0", "#4d4d4d", "#c2607a", "#2c8c99"];
const spareSymbols = ["star", "cross", "wye", "circle", "square", "triangle", "diamond"] as const;
const spareDashes = ["6 2", "10 2 2 2", "3 3", "12 3", "6 2 2 2 2 2", "2 5", "10 5", "5 5"];

/** The styles of some strategies; the named ones look the same in every figure, whichever others it shows. */
export function strategyStyles(strategies: readonly string[]): Map<string, StrategyStyle> {
  const styles = new Map<string, StrategyStyle>();
  let spare = 0;
  for (const strategy of strategies) styles.set(strategy, known[strategy] ?? spareStyle(spare++));
  return styles;
}

/** Of things that have no name of their own to go by; lightness (CIE L*) of the first five 11, 40, 70, 27, 60. */
const series: readonly StrategyStyle[] = [
  { colour: "#101c38", symbol: "circle", open: false, dash: null },
  { colour: "#1f5fa6", symbol: "square", open: false, dash: "7 3" },
  { colour: "#ec9a35", symbol: "triangle", open: false, dash: "2 2.5" },
  { colour: "#7a1f0d", symbol: "diamond", open: false, dash: "8 3 2 3" },
  { colour: "#3f97d3", symbol: "star", open: false, dash: "4 2" },
];

/** The styles of the first, the second and so on of any series. */
export const seriesStyles = (count: number): StrategyStyle[] =>
  Array.from({ length: count }, (_, i) => series[i] ?? { ...spareStyle(i - series.length + 1), open: true });

/** Periods of 7 and 8 without a common divisor: 56 pairs of symbol and dash before one comes again. */
function spareStyle(index: number): StrategyStyle {
  return {
    colour: spareColours[index % spareColours.length],
    symbol: spareSymbols[index % spareSymbols.length],
    open: Math.floor(index / spareSymbols.length) % 2 === 1,
    dash: spareDashes[index % spareDashes.length],
  };
}
