export interface CsvRecord {
  readonly fields: readonly string[]
  /** Where it begins, from 1. */
  readonly line: number
}

/** Up to the next comma or end of line. In quotes, both may be inside, and a quote is written twice. */
const field = /\s*"((?:[^"]|"")*)"[^\S\n]*|([^,\n]*)/y

/** Records of a file with values separated by commas. Empty lines and those that begin with `#` are left out. */
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

/** Gives the position after the record. */
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
