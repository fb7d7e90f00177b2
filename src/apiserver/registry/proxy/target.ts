import { parseIp } from '../../../schema/values/ip-address.js'
import { backendUnreachable } from './backend.js'

/** What a proxy request names: `web`, `web:8080`, `https:web:8443`. */
export interface ProxyTarget {
  readonly scheme: 'http' | 'https'
  readonly name: string
  /** A number or the name of a port; empty if none was said. */
  readonly port: string
}

/** Undefined if it cannot be read. */
export function parseProxyTarget(text: string): ProxyTarget | undefined {
  const parts = text.split(':')
  if (parts.length > 3) return undefined
  const [scheme, name, port] = parts.length === 3 ? parts : ['', ...parts]
  if (!name || (scheme !== '' && scheme !== 'http' && scheme !== 'https')) return undefined
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port: port ?? '' }
}

/** Whether clients may be sent there: not to the server itself, nor to its neighbours on the wire, nor to many at once. */
export function isProxyable(address: string): boolean {
  const parsed = parseIp(address)
  if (!parsed) return false
  const { bytes } = parsed
  const isUnspecified = bytes.every((byte) => byte === 0)
  return !isUnspecified && (bytes.length === 4 ? isGlobalIpv4(bytes) : isGlobalIpv6(bytes))
}

function isGlobalIpv4([first = 0, second = 0, ...rest]: readonly number[]): boolean {
  const isLinkLocal = first === 169 && second === 254
  const isMulticast = first >= 224 && first <= 239
  const isBroadcast = [first, second, ...rest].every((byte) => byte === 255)
  return first !== 127 && !isLinkLocal && !isMulticast && !isBroadcast
}

function isGlobalIpv6(bytes: readonly number[]): boolean {
  const [first = 0, second = 0] = bytes
  const isLoopback = bytes.slice(0, 15).every((byte) => byte === 0) && bytes[15] === 1
  const isLinkLocal = first === 0xfe && (second & 0xc0) === 0x80
  return !isLoopback && !isLinkLocal && first !== 0xff
}

/** A port that was given as text; throws, in the words of Go, where there is none of that name. */
export function proxyPort(text: string): number {
  if (!/^[0-9]+$/.test(text)) throw backendUnreachable(`dial tcp: lookup tcp/${text}: unknown port`)
  const port = Number(text)
  if (port > 65_535) throw backendUnreachable(`dial tcp: address ${text}: invalid port`)
  return port
}
