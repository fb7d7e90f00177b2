import { TabWriter } from '../printers/tab-writer.js'

/** One level of indentation. */
const step = '  '

/** A description in progress: lines with tabs, which are laid out in columns at the end. */
export class DescriptionPage {
  readonly #done: string[] = []
  readonly #indent: number
  readonly #parent: DescriptionPage | undefined
  #raw = ''

  constructor(indent = 0, parent?: DescriptionPage) {
    this.#indent = indent
    this.#parent = parent
  }

  /** Returns the same page with more indentation. */
  indented(levels: number): DescriptionPage {
    return new DescriptionPage(this.#indent + levels, this)
  }

  /** Appends text with terminal control characters escaped. Tabs and line breaks are kept. */
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
   * Writes a label with several lines beside it, or `<none>`. `space` precedes the label, and the tab of each further line. On an indented
   * page the first line beside the label is indented as well, as in upstream's output.
   */
  lines(label: string, lines: readonly string[], space = ''): void {
    const [first = '<none>', ...others] = lines
    const pad = step.repeat(this.#indent)
    this.line(0, `${space}${label}:`, `${pad}${first}`)
    for (const line of others) this.line(0, `${space}${pad}`, `${pad}${line}`)
  }

  /** Starts new columns for the text that follows. */
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

  /** The text since the last flush, with tabs. */
  get tabbed(): string {
    return this.#parent ? this.#parent.tabbed : this.#raw
  }

  /** The whole description in columns. */
  toString(): string {
    this.flush()
    return this.#done.join('')
  }
}
