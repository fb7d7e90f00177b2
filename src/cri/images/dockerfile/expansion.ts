import type { EscapeCharacter } from './lines.js'

export type BuildVariables = ReadonlyMap<string, string>

/** Replaces variables in a word, and removes quotes and escapes, with Docker's rules. An unknown variable is empty. */
export function expand(word: string, variables: BuildVariables, escapeCharacter: EscapeCharacter = '\\'): string {
  return new Expansion(word, variables, escapeCharacter).word()
}

/** Replaces variables in a heredoc. Quotes stay. */
export function expandDocument(
  text: string,
  variables: BuildVariables,
  escapeCharacter: EscapeCharacter = '\\',
): string {
  return new Expansion(text, variables, escapeCharacter).document()
}

const specialNames = '@*#?-$!'

class Expansion {
  readonly #text: string
  readonly #variables: BuildVariables
  readonly #escape: EscapeCharacter
  #at = 0

  constructor(text: string, variables: BuildVariables, escapeCharacter: EscapeCharacter) {
    this.#text = text
    this.#variables = variables
    this.#escape = escapeCharacter
  }

  /** Reads up to the end, or up to and including `stop`. */
  word(stop?: string): string {
    let result = ''
    while (this.#at < this.#text.length) {
      const character = this.#next()
      if (character === stop) return result
      if (character === "'") result += this.#singleQuoted()
      else if (character === '"') result += this.#doubleQuoted()
      else if (character === '$') result += this.#variable()
      else result += character === this.#escape ? this.#next() : character
    }
    if (stop !== undefined) throw new Error(`a ${stop} is missing: ${this.#text}`)
    return result
  }

  document(): string {
    let result = ''
    while (this.#at < this.#text.length) {
      const character = this.#next()
      if (character === '$') result += this.#variable()
      else result += character === this.#escape ? this.#keptEscape('$') : character
    }
    return result
  }

  #next(): string {
    return this.#text[this.#at++] ?? ''
  }

  #peek(): string {
    return this.#text[this.#at] ?? ''
  }

  #singleQuoted(): string {
    const end = this.#text.indexOf("'", this.#at)
    if (end < 0) throw new Error(`a single quote is not closed: ${this.#text}`)
    const content = this.#text.slice(this.#at, end)
    this.#at = end + 1
    return content
  }

  #doubleQuoted(): string {
    let result = ''
    while (this.#at < this.#text.length) {
      const character = this.#next()
      if (character === '"') return result
      if (character === '$') result += this.#variable()
      else result += character === this.#escape ? this.#keptEscape('"$') : character
    }
    throw new Error(`a double quote is not closed: ${this.#text}`)
  }

  /** Keeps the escape character, unless itself or one of `special` follows. */
  #keptEscape(special: string): string {
    const next = this.#next()
    return next !== '' && (next === this.#escape || special.includes(next)) ? next : this.#escape + next
  }

  #variable(): string {
    if (this.#peek() !== '{') {
      const name = this.#name()
      return name === '' ? '$' : (this.#variables.get(name) ?? '')
    }
    this.#at++
    const name = this.#name()
    if (name === '') throw new Error(`the name of a variable is missing: ${this.#text}`)
    return this.#modified(name)
  }

  #name(): string {
    const rest = this.#text.slice(this.#at)
    const name = /^[A-Za-z_][A-Za-z0-9_]*/.exec(rest)?.[0] ?? (isSpecial(rest) ? rest[0]! : '')
    this.#at += name.length
    return name
  }

  /** Applies the modifier after the name: `${name:-default}`. */
  #modified(name: string): string {
    const value = this.#variables.get(name)
    const modifier = this.#next()
    if (modifier === '}') return value ?? ''
    if (modifier === '#' || modifier === '%') return this.#trimmed(value ?? '', modifier)
    if (modifier === '/') return this.#replaced(value ?? '')
    // With a colon, an empty variable counts as unset.
    if (modifier === ':') return this.#conditional(name, value || undefined, `:${this.#next()}`)
    return this.#conditional(name, value, modifier)
  }

  #conditional(name: string, value: string | undefined, modifier: string): string {
    if (modifier.endsWith('-')) return valueOr(this.word('}'), value)
    if (modifier.endsWith('+')) return value === undefined ? valueOr(this.word('}'), '') : this.word('}')
    if (modifier.endsWith('?')) return this.#required(name, value)
    throw new Error(
      modifier === '' ? `a } is missing: ${this.#text}` : `the modifier ${modifier} is not supported: ${this.#text}`,
    )
  }

  #required(name: string, value: string | undefined): string {
    const message = this.word('}')
    if (value === undefined) throw new Error(`${name}: ${message || 'it must be set'}`)
    return value
  }

  /** `#` removes the shortest match at the start, `%` at the end; `##` and `%%` remove the longest. */
  #trimmed(value: string, side: '#' | '%'): string {
    const isGreedy = this.#peek() === side
    if (isGreedy) this.#at++
    const pattern = globPattern(this.word('}'))
    const lengths = Array.from({ length: value.length + 1 }, (_, length) => length)
    if (isGreedy) lengths.reverse()
    const part = (length: number) => (side === '#' ? value.slice(0, length) : value.slice(value.length - length))
    const length = lengths.find((each) => pattern.test(part(each)))
    if (length === undefined) return value
    return side === '#' ? value.slice(length) : value.slice(0, value.length - length)
  }

  #replaced(value: string): string {
    const isGlobal = this.#peek() === '/'
    if (isGlobal) this.#at++
    const pattern = this.word('/')
    const replacement = this.word('}')
    return value.replace(new RegExp(globSource(pattern), isGlobal ? 'gs' : 's'), () => replacement)
  }
}

/** The parser must read the alternative in any case, to find its end. */
function valueOr(alternative: string, value: string | undefined): string {
  return value ?? alternative
}

/** Variables such as `$1`: one character, never set. */
function isSpecial(rest: string): boolean {
  return rest !== '' && (/\d/.test(rest[0]!) || specialNames.includes(rest[0]!))
}

function globPattern(glob: string): RegExp {
  return new RegExp(`^(?:${globSource(glob)})$`, 's')
}

function globSource(glob: string): string {
  const parts = { '*': '.*', '?': '.' } as const
  return glob.replace(/[\\^$.*+?()[\]{}|/-]/g, (character) =>
    character === '*' || character === '?' ? parts[character] : `\\${character}`,
  )
}
