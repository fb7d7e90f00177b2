import { TabWriter } from '../printers/tab-writer.js'

/** Two spaces for each level. */
const step = '  '

/** A description while it is written: lines with tabs in them, laid out in columns at the end. */
export class DescriptionPage {
  readonly #done: string[] = []
  readonly #indent: number
  readonly #parent: DescriptionPage | undefined
  #raw = ''

  constructor(indent = 0, parent?: DescriptionPage) {
    this.#indent = indent
    this.#parent = parent
  }

  /** The same page, on which everything stands that many levels further in. */
  indented(levels: number): DescriptionPage {
    return new DescriptionPage(this.#indent + levels, this)
  }

  /** Nothing in it may do something to a terminal. Text may hold tabs and line breaks; they count. */
  text(text: string): void {
    if (this.#parent) this.#parent.text(text)
    else this.#raw += text.replaceAll('\x1b', '^[').replaceAll('\r', '\\r')
  }

  line(level: number, ...cells: readonly string[]): void {
    this.text(`${step.repeat(level + this.#indent)}${cells.join('\t')}\n`)
  }

  /** `Name:   web` */
  field(label: string, value: unknown, level = 0): void {
    this.line(level, `${label}:`, String(value))
  }

  /**
   * A label with several lines beside it, or `<none>`. `space` stands before the label, and before the tab of each further line. Further
   * in, what stands beside the label is indented, too: the original writes it piece by piece, each of them indented.
   */
  lines(label: string, lines: readonly string[], space = ''): void {
    const [first = '<none>', ...others] = lines
    const pad = step.repeat(this.#indent)
    this.line(0, `${space}${label}:`, `${pad}${first}`)
    for (const line of others) this.line(0, `${space}${pad}`, `${pad}${line}`)
  }

  /** Columns of what follows have nothing to do with those so far. */
  flush(): void {
    if (this.#parent) {
      this.#parent.flush()
      return
    }
    if (this.#raw === '') return
    const writer = new TabWriter({ minimum: 0, padding: 2 })
    const isWhole = this.#raw.endsWith('\n')
    writer.text(isWhole ? this.#raw.slice(0, -1) : this.#raw)
    const laidOut = writer.flush()
    this.#done.push(isWhole ? laidOut : laidOut.slice(0, -1))
    this.#raw = ''
  }

  /** What was written since the last flush, with its tabs. */
  get tabbed(): string {
    return this.#parent ? this.#parent.tabbed : this.#raw
  }

  /** All of it, laid out. */
  toString(): string {
    this.flush()
    return this.#done.join('')
  }
}
