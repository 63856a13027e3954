/** The network of the paper's first figure, as SVG text. */
import { fontFamily } from "./svg.js";

interface Node {
  readonly name: string;
  readonly words: string;
  readonly x: number;
  readonly y: number;
  /** Where the words stand. */
  readonly dx: number;
  readonly dy: number;
  readonly anchor: "start" | "middle" | "end";
}

const radius = 26;
const nodes: readonly Node[] = [
  { name: "R", words: "retrieval succeeds", x: 190, y: 150, dx: -36, dy: 5, anchor: "end" },
  { name: "A", words: "the system abstains", x: 320, y: 56, dx: 0, dy: -36, anchor: "middle" },
  { name: "T", words: "the task is solved", x: 450, y: 150, dx: 36, dy: 5, anchor: "start" },
  { name: "G", words: "the system behaves as it should", x: 320, y: 260, dx: 0, dy: 50, anchor: "middle" },
];
const edges: readonly (readonly [string, string])[] = [
  ["R", "A"],
  ["R", "T"],
  ["A", "T"],
];
/** G follows from the others. */
const consequences: readonly (readonly [string, string])[] = [
  ["R", "G"],
  ["A", "G"],
  ["T", "G"],
];

const [ink, soft] = ["#14181d", "#3c444d"];
const [width, height] = [640, 330];

export function networkFigure(): string {
  const at = new Map(nodes.map((node) => [node.name, node]));
  const arrow =
    (dash: string) =>
    ([from, to]: readonly [string, string]) => {
      const [a, b] = [at.get(from)!, at.get(to)!];
      const length = Math.hypot(b.x - a.x, b.y - a.y);
      const point = (node: Node, distance: number): string => {
        const [x, y] = [node.x + ((b.x - a.x) / length) * distance, node.y + ((b.y - a.y) / length) * distance];
        return `${x.toFixed(1)},${y.toFixed(1)}`;
      };
      const line = `M${point(a, radius + 3)}L${point(b, -radius - 9)}`;
      return `<path d="${line}" fill="none" stroke="${soft}" stroke-width="1.6"${dash} />${head(a, b)}`;
    };
  const head = (a: Node, b: Node): string => {
    const angle = Math.atan2(b.y - a.y, b.x - a.x);
    const tip = [b.x - (radius + 4) * Math.cos(angle), b.y - (radius + 4) * Math.sin(angle)];
    const corners = [0, 2.7, -2.7].map((turn, i) =>
      i === 0 ? tip : [tip[0] + 10 * Math.cos(angle + turn), tip[1] + 10 * Math.sin(angle + turn)],
    );
    return `<path d="M${corners.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L")}Z" fill="${soft}" />`;
  };
  const circle = ({ name, words, x, y, dx, dy, anchor }: Node): string => {
    const ring = (r: number) =>
      `<circle cx="${x}" cy="${y}" r="${r}" fill="white" stroke="${ink}" stroke-width="1.6" />`;
    // A double ring: known once the others are.
    const rings = name === "G" ? ring(radius + 3) + ring(radius - 1) : ring(radius);
    return (
      `${rings}<text x="${x}" y="${y + 6}" text-anchor="middle" font-size="18" font-weight="600">${name}</text>` +
      `<text x="${x + dx}" y="${y + dy}" text-anchor="${anchor}" font-size="13" fill="${soft}">${words}</text>`
    );
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
    ` font-family="${fontFamily}" fill="${ink}">`,
    "<title>R points to A and T, A points to T; G follows from R, A and T</title>",
    '<rect width="100%" height="100%" fill="#ffffff" />',
    ...consequences.map(arrow(' stroke-dasharray="5 4"')),
    ...edges.map(arrow("")),
    ...nodes.map(circle),
    "</svg>\n",
  ].join("");
}
