/** How columns are laid out. */
interface Layout {
  /** Least width of a column, its padding included. */
  readonly minimum: number
  /** Spaces after the longest cell of a column. */
  readonly padding: number
  /** Whether a column that was wide once stays so. */
  readonly remembers?: boolean
}

const tableLayout: Layout = { minimum: 6, padding: 3, remembers: true }

/**
 * Lays lines of cells out in columns, in the way of the original: a column lasts as long as consecutive lines have a cell in it, and the
 * last cell of a line is in no column. Cells are separated by tabs.
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

  /** Lines of text in which tabs separate cells. */
  text(lines: string): void {
    for (const line of lines.split('\n')) this.#lines.push(line.split('\t'))
  }

  /** Columns of what comes now have nothing to do with those before. */
  forget(): void {
    this.#remembered.length = 0
  }

  /** What was written since the last time, laid out. */
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
