import { ipFamily, parseIp } from '../../../schema/ip-address.js'

/** What a proxy request names: `web`, `web:8080`, `https:web:8443`. */
export interface ProxyTarget {
  readonly scheme: 'http' | 'https'
  readonly name: string
  /** A number or the name of a port; empty if none was said. */
  readonly port: string
}

/** Undefined if it cannot be read. */
export function parseTarget(text: string): ProxyTarget | undefined {
  const parts = text.split(':')
  if (parts.length > 3) return undefined
  const [scheme, name, port] = parts.length === 3 ? parts : ['', ...parts]
  if (!name || (scheme !== '' && scheme !== 'http' && scheme !== 'https')) return undefined
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port: port ?? '' }
}

/** Whether clients may be sent there: not to the server itself, nor to its neighbours on the wire. */
export function isProxyable(address: string): boolean {
  const parsed = parseIp(address)
  if (!parsed) return false
  const [first = 0, second = 0] = parsed.bytes
  if (parsed.bytes.length === 4)
    return first !== 127 && !(first === 169 && second === 254) && !(first === 224 && second === 0)
  const isLoopback = parsed.bytes.slice(0, 15).every((byte) => byte === 0) && parsed.bytes[15] === 1
  const isLinkLocal = first === 0xfe && (second & 0xc0) === 0x80
  return !isLoopback && !isLinkLocal && !(first === 0xff && (second & 0x0f) <= 2)
}

/** As it stands in a URL. */
export function hostText(address: string): string {
  return ipFamily(address) === 6 ? `[${address}]` : address
}
