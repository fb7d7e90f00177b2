import { parseIp } from '../../../schema/values/ip-address.js'
import { backendUnreachable } from './backend.js'

/** The target of a proxy request: `web`, `web:8080`, `https:web:8443`. */
export interface ProxyTarget {
  readonly scheme: 'http' | 'https'
  readonly name: string
  /** A port number or name; empty if there is none. */
  readonly port: string
}

/** Returns undefined if the text is malformed. */
export function parseProxyTarget(text: string): ProxyTarget | undefined {
  const parts = text.split(':')
  if (parts.length > 3) return undefined
  const [scheme, name, port] = parts.length === 3 ? parts : ['', ...parts]
  if (!name || (scheme !== '' && scheme !== 'http' && scheme !== 'https')) return undefined
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port: port ?? '' }
}

/** Whether requests may be forwarded to an address: not to loopback, link-local, multicast or broadcast addresses. */
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

/** Parses a port number. Throws with Go's message. */
export function proxyPort(text: string): number {
  if (!/^[0-9]+$/.test(text)) throw backendUnreachable(`dial tcp: lookup tcp/${text}: unknown port`)
  const port = Number(text)
  if (port > 65_535) throw backendUnreachable(`dial tcp: address ${text}: invalid port`)
  return port
}
