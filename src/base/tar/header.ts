import { Buffer } from 'node:buffer'

export const blockSize = 512

/** The types of entries. The last three describe the next entry, or all that follow. */
export const tarFlags = {
  file: '0',
  hardLink: '1',
  link: '2',
  directory: '5',
  pax: 'x',
  paxForAll: 'g',
  longName: 'L',
  longTarget: 'K',
} as const

export interface TarHeader {
  readonly name: string
  readonly size: number
  /** One of `tarFlags`, or an unknown one. */
  readonly flag: string
  /** The target of a link. */
  readonly target: string
  /** Permission bits, with setuid, setgid and sticky. */
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

/** Reads a header. Values of a preceding extended header take precedence. Returns undefined for a block that is no valid header. */
export function tarHeader(block: Buffer, extended: Readonly<Record<string, string>> = {}): TarHeader | undefined {
  if (!isHeader(block)) return undefined
  const name = extended.path ?? longName(block)
  const flag = flagOf(block, name)
  const size = Number(extended.size ?? numberAt(block, 124, 12))
  // A size that no file can have would move the reader to a wrong position, or allocate without bound.
  if (!Number.isSafeInteger(size) || size < 0) return undefined
  return {
    name,
    flag,
    target: extended.linkpath ?? textAt(block, 157, 100),
    size: hasContent(flag) ? size : 0,
    mode: numberAt(block, 100, 8) & 0o7777,
    uid: Number(extended.uid ?? numberAt(block, 108, 8)),
    gid: Number(extended.gid ?? numberAt(block, 116, 8)),
  }
}

/** Links and folders may have a size, which is not that of a content. */
function hasContent(flag: string): boolean {
  return flag !== tarFlags.link && flag !== tarFlags.hardLink && flag !== tarFlags.directory
}

/** In the oldest format files have no flag, and folders are files whose names end with a slash. */
function flagOf(block: Buffer, name: string): string {
  const flag = block[156] === 0 ? tarFlags.file : String.fromCharCode(block[156]!)
  return flag === tarFlags.file && name.endsWith('/') ? tarFlags.directory : flag
}

export function isZero(block: Buffer): boolean {
  return block.every((byte) => byte === 0)
}

function isHeader(block: Buffer): boolean {
  const blank = Buffer.from(block).fill(' ', 148, 156)
  return numberAt(block, 148, 8) === blank.reduce((total, byte) => total + byte, 0)
}

/** Octal digits; larger numbers are binary, with the first bit set. */
function numberAt(block: Buffer, at: number, length: number): number {
  if (block[at]! >= 0x80) return Number(block.readBigUInt64BE(at + length - 8))
  return Number.parseInt(block.toString('latin1', at, at + length).replace(/[\0 ]+$/, ''), 8) || 0
}

function longName(block: Buffer): string {
  const isStandard = block.toString('latin1', 257, 263) === 'ustar\0'
  const [name, prefix] = [textAt(block, 0, 100), isStandard ? textAt(block, 345, 155) : '']
  return prefix ? `${prefix}/${name}` : name
}

export function textAt(block: Buffer, at: number, length: number): string {
  return block.toString('utf8', at, at + length).replace(/\0.*$/s, '')
}

/** `30 path=a/long/name\n`, one after the other. */
export function paxValues(records: Buffer): Record<string, string> {
  const values: Record<string, string> = {}
  for (let at = 0; at < records.length; ) {
    const length = Number.parseInt(records.toString('latin1', at, at + 20), 10)
    if (!(length > 0)) break
    const record = records.toString('utf8', at, at + length - 1)
    const equals = record.indexOf('=')
    values[record.slice(record.indexOf(' ') + 1, equals)] = record.slice(equals + 1)
    at += length
  }
  return values
}
