import { isContainer } from '../../../schema/json-value.js'
import { quote } from '../../../schema/quote.js'
import { jsonText } from '../json.js'
import { goPrinted, goSyntax } from '../json-path/go-syntax.js'

const verb = /%(?<flags>[-+# 0]*)(?<width>\d+|\*)?(?:\.(?<precision>\d+|\*))?(?<letter>[a-zA-Z%])/g

/** Go's `printf` for JSON values. */
export function formatted(format: string, args: readonly unknown[]): string {
  let next = 0
  const number = (text: string | undefined) => (text === '*' ? Number(args[next++]) : text && Number(text)) || undefined
  const written = (match: RegExpExecArray) => {
    const { flags = '', width, precision, letter = '' } = match.groups!
    if (letter === '%') return '%'
    const wide = number(width) ?? 0
    const precise = precision === '0' ? 0 : number(precision)
    if (next >= args.length) return `%!${letter}(MISSING)`
    return padded(one(letter, args[next++], { flags, precise }), flags, wide)
  }
  let result = ''
  let end = 0
  for (const match of format.matchAll(verb)) {
    result += format.slice(end, match.index) + written(match)
    end = match.index + match[0].length
  }
  return result + format.slice(end)
}

function padded(text: string, flags: string, width: number): string {
  if (flags.includes('-')) return text.padEnd(width)
  return text.padStart(width, flags.includes('0') && /^[-+\d]/.test(text) ? '0' : ' ')
}

interface Form {
  readonly flags: string
  readonly precise: number | undefined
}

const writers: Readonly<Record<string, (value: unknown, form: Form) => string>> = {
  s: (value, { precise }) => goPrinted(value).slice(0, precise),
  v: (value, { flags }) => (flags.includes('#') ? goSyntax(value) : goPrinted(value)),
  q: (value) => quote(String(value)),
  d: (value) => (typeof value === 'number' ? String(value) : `%!d(${typeof value}=${goPrinted(value)})`),
  t: (value) => String(value),
  f: (value, { precise = 6 }) => Number(value).toFixed(precise),
  g: (value) => String(value),
  e: (value, { precise = 6 }) => Number(value).toExponential(precise),
  x: (value) => (typeof value === 'number' ? value.toString(16) : Buffer.from(String(value)).toString('hex')),
  X: (value) =>
    (typeof value === 'number' ? value.toString(16) : Buffer.from(String(value)).toString('hex')).toUpperCase(),
  o: (value) => Number(value).toString(8),
  b: (value) => Number(value).toString(2),
  c: (value) => String.fromCodePoint(Number(value)),
  T: (value) => (isContainer(value) ? 'map[string]interface {}' : typeof value),
}

function one(letter: string, value: unknown, form: Form): string {
  const write = writers[letter]
  return write ? write(value, form) : `%!${letter}(${isContainer(value) ? jsonText(value) : String(value)})`
}
