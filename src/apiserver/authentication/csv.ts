export interface CsvRecord {
  readonly fields: readonly string[]
  /** The line where the record begins, from 1. */
  readonly line: number
}

/** A field ends at a comma or at the end of the line. A quoted field may contain both, and doubles its quotes. */
const field = /\s*"((?:[^"]|"")*)"[^\S\n]*|([^,\n]*)/y

/** Parses comma-separated values. Skips empty lines and lines that begin with `#`. */
export function parseCsv(content: string): CsvRecord[] {
  const text = content.replaceAll('\r\n', '\n')
  const records: CsvRecord[] = []
  let position = 0
  let line = 1
  while (position < text.length) {
    const start = position
    const fields: string[] = []
    position = readRecord(text, position, fields)
    if ((fields.length > 1 || fields[0] !== '') && text[start] !== '#') records.push({ fields, line })
    line += text.slice(start, position).split('\n').length - 1
  }
  return records
}

/** Returns the position after the record. */
function readRecord(text: string, start: number, fields: string[]): number {
  let position = start
  for (;;) {
    field.lastIndex = position
    const [whole, quoted, plain = ''] = field.exec(text)!
    fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'))
    position += whole.length
    if (text[position] !== ',') return position + 1
    position++
  }
}
