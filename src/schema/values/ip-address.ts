/** An address as bytes: four for IPv4, including IPv4-mapped IPv6 (`::ffff:192.0.2.1`), sixteen for IPv6. */
export interface IpAddress {
  readonly bytes: readonly number[]
  /** Whether it was written as IPv4-mapped IPv6. */
  readonly mapped: boolean
  /** Whether a number had leading zeros. They are ignored here, but mean octal in other programs. */
  readonly leadingZeros: boolean
}

/** Parses an address; undefined if it is malformed. Accepts leading zeros, which the caller may reject. */
export function parseIp(text: string): IpAddress | undefined {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text)
}

/** The family of an address: 4 or 6; undefined if it is malformed. */
export function ipFamily(text: string): 4 | 6 | undefined {
  const address = parseIp(text)
  return address && (address.bytes.length === 4 ? 4 : 6)
}

function parseIpv4(text: string): IpAddress | undefined {
  const parts = text.split('.', 5)
  if (parts.length !== 4 || !parts.every(isOctet)) return undefined
  return {
    bytes: parts.map(Number),
    mapped: false,
    leadingZeros: parts.some((part) => part.length > 1 && part.startsWith('0')),
  }
}

function isOctet(part: string): boolean {
  return /^[0-9]+$/.test(part) && Number(part) <= 255
}

function parseIpv6(text: string): IpAddress | undefined {
  const tail = text.includes('.') ? parseIpv4(text.slice(text.lastIndexOf(':') + 1)) : undefined
  if (text.includes('.') && !tail) return undefined
  const groups = tail ? `${text.slice(0, text.lastIndexOf(':') + 1)}0:0` : text
  const words = expandedGroups(groups)
  if (!words) return undefined
  const bytes = words.flatMap((word) => [word >> 8, word & 0xff])
  if (tail) bytes.splice(12, 4, ...tail.bytes)
  const isMapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff
  return {
    bytes: isMapped ? bytes.slice(12) : bytes,
    mapped: isMapped,
    leadingZeros: tail?.leadingZeros === true || groups.split(':').some((group) => group.length > 4),
  }
}

/** The eight groups of an IPv6 address, with `::` expanded. */
function expandedGroups(text: string): number[] | undefined {
  const halves = text.split('::', 3).map((half) => (half === '' ? [] : half.split(':', 9)))
  if (halves.length > 2 || !halves.flat().every(isGroup)) return undefined
  const [left = [], right] = halves
  const missing = 8 - left.length - (right?.length ?? 0)
  if (right ? missing < 1 : missing !== 0) return undefined
  return [...left, ...Array<string>(missing).fill('0'), ...(right ?? [])].map((group) => Number.parseInt(group, 16))
}

function isGroup(group: string): boolean {
  return /^[0-9a-fA-F]+$/.test(group) && Number.parseInt(group, 16) <= 0xffff
}

/** Formats an address canonically (RFC 5952). Mapped addresses are formatted as IPv4. */
export function ipText({ bytes }: IpAddress): string {
  return bytes.length === 4 ? bytes.join('.') : ipv6Text(bytes)
}

function ipv6Text(bytes: readonly number[]): string {
  const words = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16))
  const [start, length] = longestZeros(words)
  if (length < 2) return words.join(':')
  return `${words.slice(0, start).join(':')}::${words.slice(start + length).join(':')}`
}

function longestZeros(words: readonly string[]): readonly [start: number, length: number] {
  let best: readonly [number, number] = [0, 0]
  let start = 0
  for (const [i, word] of words.entries()) {
    if (word !== '0') start = i + 1
    else if (i + 1 - start > best[1]) best = [start, i + 1 - start]
  }
  return best
}

/** An address and the length of its network prefix. */
export interface Cidr {
  readonly address: IpAddress
  /** As written: up to 128 for a mapped address. */
  readonly prefixLength: number
  readonly leadingZeros: boolean
}

export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/')
  const address = slash < 0 ? undefined : parseIp(text.slice(0, slash))
  const length = text.slice(slash + 1)
  if (!address || !/^[0-9]+$/.test(length) || Number(length) > bitsOf(address)) return undefined
  const leadingZeros = address.leadingZeros || (length.length > 1 && length.startsWith('0'))
  return { address, prefixLength: Number(length), leadingZeros }
}

export function bitsOf({ bytes, mapped }: IpAddress): number {
  return mapped ? 128 : bytes.length * 8
}

/** The address with every bit behind the prefix cleared. */
export function networkOf({ address, prefixLength }: Cidr): IpAddress {
  const prefix = Math.max(prefixLength - (address.mapped ? 96 : 0), 0)
  const bytes = address.bytes.map((byte, i) => byte & (0xff00 >> Math.min(Math.max(prefix - 8 * i, 0), 8)) & 0xff)
  return { ...address, bytes }
}

export function sameAddress(left: IpAddress, right: IpAddress): boolean {
  return left.bytes.length === right.bytes.length && left.bytes.every((byte, i) => byte === right.bytes[i])
}

/** `10.0.0.0/8`, in canonical form. */
export function cidrText(address: IpAddress, { address: { mapped }, prefixLength }: Cidr): string {
  return `${ipText(address)}/${mapped ? Math.max(prefixLength - 96, 0) : prefixLength}`
}
