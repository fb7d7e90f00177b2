/** Text in lines of that many characters, line breaks that it has included. A word that is longer has a line to itself. */
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

/** The older way: lines that follow each other run together, but for empty ones, lists, code and what follows a colon. */
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

  /** A line that stands by itself. */
  whole(line: string): void {
    this.#flush()
    this.#lines.push(line)
  }

  /** An empty line, unless everything so far fits into one. */
  gap(): void {
    if (this.#lines.length > 0) this.whole('')
    else this.#flush()
  }

  /** A line that goes on where the last one ended, unless it begins something new. */
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
