/** The layout of columns. */
interface Layout {
  /** The minimum width of a column, with padding. */
  readonly minimum: number
  /** Spaces after the widest cell. */
  readonly padding: number
  /** Whether columns keep their width after a flush. */
  readonly remembers?: boolean
}

const tableLayout: Layout = { minimum: 6, padding: 3, remembers: true }

/**
 * Lays out lines of tab-separated cells in columns, as Go's text/tabwriter does: a column is a run of consecutive lines that have a cell
 * there, and the last cell of a line is in no column.
 */
export class TabWriter {
  readonly #layout: Layout
  readonly #remembered: number[] = []
  #lines: (readonly string[])[] = []

  constructor(layout: Layout = tableLayout) {
    this.#layout = layout
  }

  line(cells: readonly string[]): void {
    this.#lines.push(cells)
  }

  /** Appends lines of tab-separated cells. */
  text(lines: string): void {
    for (const line of lines.split('\n')) this.#lines.push(line.split('\t'))
  }

  /** Forgets the widths of earlier columns. */
  forget(): void {
    this.#remembered.length = 0
  }

  /** Returns the laid out text since the last flush. */
  flush(): string {
    const lines = this.#lines
    this.#lines = []
    const rows: string[] = []
    this.#format(lines, [], rows)
    return rows.map((row) => `${row}\n`).join('')
  }

  #format(lines: readonly (readonly string[])[], widths: readonly number[], rows: string[]): void {
    const column = widths.length
    const has = (line: readonly string[]) => column < line.length - 1
    for (let start = 0; start < lines.length; ) {
      if (!has(lines[start]!)) {
        rows.push(written(lines[start]!, widths))
        start++
        continue
      }
      let end = start
      while (end < lines.length && has(lines[end]!)) end++
      const block = lines.slice(start, end)
      this.#format(block, [...widths, this.#width(block, column)], rows)
      start = end
    }
  }

  #width(block: readonly (readonly string[])[], column: number): number {
    const { minimum, padding, remembers = false } = this.#layout
    const longest = Math.max(...block.map((line) => lengthOf(line[column]!))) + padding
    const width = Math.max(minimum, longest, remembers ? (this.#remembered[column] ?? 0) : 0)
    this.#remembered[column] = width
    return width
  }
}

function written(line: readonly string[], widths: readonly number[]): string {
  return line.map((cell, column) => cell + ' '.repeat(Math.max((widths[column] ?? 0) - lengthOf(cell), 0))).join('')
}

function lengthOf(text: string): number {
  return [...text].length
}
