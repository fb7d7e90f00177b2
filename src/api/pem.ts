/** A PEM block (RFC 1421), the usual form of certificates and keys. */
export interface PemBlock {
  /** `CERTIFICATE`, `CERTIFICATE REQUEST`, … */
  readonly type: string
  readonly hasHeaders: boolean
  readonly bytes: Buffer
}

const beginLine = /(?:^|\n)-----BEGIN ([^\n]*?)-----[ \t\r]*(?:\n|$)/g
const headerLine = /^[^\n:]*:[^\n]*\n/

/**
 * Returns all blocks of a text in order. Skips text between them and malformed blocks, as upstream does.
 */
export function pemBlocks(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = []
  const begin = new RegExp(beginLine)
  for (let match = begin.exec(text); match; match = begin.exec(text)) {
    const start = match.index + match[0].length
    const read = readBlock(text, start, match[1]!)
    // The line break before the next block is part of both.
    begin.lastIndex = (read?.end ?? start) - 1
    if (read) blocks.push(read.block)
  }
  return blocks
}

function readBlock(text: string, start: number, type: string): { block: PemBlock; end: number } | undefined {
  const endMark = `-----END ${type}-----`
  const end = text.indexOf(endMark, start)
  if (end < 0 || (end > start && text[end - 1] !== '\n')) return undefined
  const { hasHeaders, body } = withoutHeaders(text.slice(start, end))
  const encoded = body.replace(/[\s]/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded) || encoded.length % 4 !== 0) return undefined
  return { block: { type, hasHeaders, bytes: Buffer.from(encoded, 'base64') }, end: end + endMark.length }
}

function withoutHeaders(text: string): { hasHeaders: boolean; body: string } {
  let body = text
  for (let header = headerLine.exec(body); header; header = headerLine.exec(body)) body = body.slice(header[0].length)
  return { hasHeaders: body !== text, body }
}

/** Formats a block without headers. */
export function pemText({ type, bytes }: PemBlock): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${type}-----`, ...lines, `-----END ${type}-----`, ''].join('\n')
}
