/**
 * An exact JSON reader. Unlike the built-in parser it reports syntax errors with upstream's messages, keeps duplicate keys in order, and
 * keeps numbers as written. It only runs after the fast path has failed, so it favours exactness over speed.
 */
export type ExactValue = string | boolean | null | ExactNumber | ExactObject | readonly ExactValue[]

export class ExactNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The members of an object in the order of the text, including duplicate keys. */
export class ExactObject {
  readonly members: readonly (readonly [string, ExactValue])[]

  constructor(members: readonly (readonly [string, ExactValue])[]) {
    this.members = members
  }
}

export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError'
}

/** Deeper nesting could overflow the stack. */
export const maximumJsonDepth = 1_000

export function readJson(text: string): ExactValue {
  const reader = new JsonReader(text)
  return reader.document()
}

class JsonReader {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): ExactValue {
    const value = this.#value()
    this.#skipSpace()
    if (this.#at < this.#text.length) throw this.#unexpected('after top-level value')
    return value
  }

  #value(): ExactValue {
    this.#skipSpace()
    const start = this.#text[this.#at]
    if (start === '{') return this.#object()
    if (start === '[') return this.#array()
    if (start === '"') return this.#string()
    if (start === 't') return this.#literal('true', true)
    if (start === 'f') return this.#literal('false', false)
    if (start === 'n') return this.#literal('null', null)
    if (start === '-' || isDigit(start)) return this.#number()
    throw this.#unexpected('looking for beginning of value')
  }

  #object(): ExactObject {
    this.#enter()
    const members: [string, ExactValue][] = []
    this.#skipSpace()
    if (this.#take('}')) return this.#leave(new ExactObject(members))
    for (;;) {
      this.#skipSpace()
      if (this.#text[this.#at] !== '"') throw this.#unexpected('looking for beginning of object key string')
      const key = this.#string()
      this.#skipSpace()
      if (!this.#take(':')) throw this.#unexpected('after object key')
      members.push([key, this.#value()])
      this.#skipSpace()
      if (this.#take('}')) return this.#leave(new ExactObject(members))
      if (!this.#take(',')) throw this.#unexpected('after object key:value pair')
    }
  }

  #array(): readonly ExactValue[] {
    this.#enter()
    const elements: ExactValue[] = []
    this.#skipSpace()
    if (this.#take(']')) return this.#leave(elements)
    for (;;) {
      elements.push(this.#value())
      this.#skipSpace()
      if (this.#take(']')) return this.#leave(elements)
      if (!this.#take(',')) throw this.#unexpected('after array element')
    }
  }

  #string(): string {
    const start = this.#at++
    for (;;) {
      const character = this.#text[this.#at]
      if (character === undefined || character < ' ') throw this.#unexpected('in string literal')
      this.#at++
      if (character === '"') break
      if (character === '\\') this.#escape()
    }
    return JSON.parse(this.#text.slice(start, this.#at)) as string
  }

  #escape(): void {
    const letter = this.#text[this.#at]
    if (letter === undefined || !'"\\/bfnrtu'.includes(letter)) throw this.#unexpected('in string escape code')
    this.#at++
    if (letter !== 'u') return
    for (let i = 0; i < 4; i++) {
      if (!/^[0-9a-fA-F]$/.test(this.#text[this.#at] ?? ''))
        throw this.#unexpected('in \\u hexadecimal character escape')
      this.#at++
    }
  }

  #literal<T extends boolean | null>(word: string, value: T): T {
    for (let i = 0; i < word.length; i++) {
      if (this.#text[this.#at] !== word[i])
        throw this.#unexpected(`in literal ${word} (expecting ${quoteCharacter(word[i]!)})`)
      this.#at++
    }
    return value
  }

  #number(): ExactNumber {
    const start = this.#at
    this.#take('-')
    if (!this.#take('0')) this.#digits('in numeric literal')
    if (this.#take('.')) this.#digits('after decimal point in numeric literal')
    if (this.#take('e') || this.#take('E')) {
      if (!this.#take('+')) this.#take('-')
      this.#digits('in exponent of numeric literal')
    }
    return new ExactNumber(this.#text.slice(start, this.#at))
  }

  #digits(context: string): void {
    if (!isDigit(this.#text[this.#at])) throw this.#unexpected(context)
    while (isDigit(this.#text[this.#at])) this.#at++
  }

  #enter(): void {
    this.#at++
    if (++this.#depth > maximumJsonDepth) throw new JsonSyntaxError('exceeded max depth')
  }

  #leave<T>(value: T): T {
    this.#depth--
    return value
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #skipSpace(): void {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? 'x')) this.#at++
  }

  #unexpected(context: string): JsonSyntaxError {
    const code = this.#text.codePointAt(this.#at)
    if (code === undefined) return new JsonSyntaxError('unexpected end of JSON input')
    return new JsonSyntaxError(`invalid character ${quoteCharacter(firstByte(code))} ${context}`)
  }
}

/** Errors name bytes: for a multi-byte character only the first one. */
function firstByte(code: number): string {
  return String.fromCharCode(code < 0x80 ? code : Buffer.from(String.fromCodePoint(code))[0]!)
}

const named: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\u0007': '\\a',
  '\v': '\\v',
  '\\': '\\\\',
  "'": "\\'",
}

function quoteCharacter(character: string): string {
  const code = character.charCodeAt(0)
  const printable = code >= 0x20 && code !== 0x7f && !(code >= 0x80 && code <= 0xa0) && code !== 0xad
  return `'${named[character] ?? (printable ? character : hexEscape(code))}'`
}

/** Escapes like Go: a byte below 0x80, a code point above. */
function hexEscape(code: number): string {
  return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9'
}
