/** Wraps a text at a width and keeps its line breaks. A longer word gets its own line. */
export function wrapped(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => wrappedLine(line, width))
    .join('\n')
}

const spacedWords = /(?<space>[^\S\u00a0]*)(?<word>[\S\u00a0]*)/gu

function wrappedLine(line: string, width: number): string {
  let result = ''
  let column = 0
  for (const { groups } of line.matchAll(spacedWords)) {
    const { space = '', word = '' } = groups ?? {}
    const [spaces, letters] = [[...space].length, [...word].length]
    const isTooFar = column + spaces + letters > width
    if (!isTooFar || (word !== '' && column + spaces <= 1)) {
      result += space + word
      column += spaces + letters
    } else if (word !== '') {
      result += `\n${word}`
      column = letters
    }
  }
  return result
}

export function indented(text: string, spaces: number): string {
  const pad = ' '.repeat(spaces)
  return pad + text.replaceAll('\n', `\n${pad}`)
}

const listItem = /^(\d+\.?|-|\*)\s/

/** Wraps a text as upstream's v2 output: joins lines, except empty lines, lists, code and lines after a colon. */
export function wrappedLines(text: string, width: number): readonly string[] {
  const page = new RunningLines(width)
  for (const line of text.split('\n'))
    if (line.startsWith('    ')) page.whole(line)
    else if (line.trim() !== '') page.run(line)
    else page.gap()
  return page.lines()
}

class RunningLines {
  readonly #width: number
  readonly #lines: string[] = []
  #words: string[] = []

  constructor(width: number) {
    this.#width = width
  }

  /** Adds a line that is not joined with others. */
  whole(line: string): void {
    this.#flush()
    this.#lines.push(line)
  }

  /** Adds an empty line, unless the text so far fits into one line. */
  gap(): void {
    if (this.#lines.length > 0) this.whole('')
    else this.#flush()
  }

  /** Joins a line to the last one, unless it starts something new. */
  run(line: string): void {
    if (this.#words.at(-1)?.endsWith(':') || listItem.test(line.trim())) this.#flush()
    for (const word of line.split(/\s+/).filter((each) => each !== '')) {
      if (this.#words.length > 0 && [...this.#words, word].join(' ').length > this.#width) this.#flush()
      this.#words.push(word)
    }
  }

  lines(): readonly string[] {
    this.#flush()
    return this.#lines
  }

  #flush(): void {
    if (this.#words.length > 0) this.#lines.push(this.#words.join(' '))
    this.#words = []
  }
}
