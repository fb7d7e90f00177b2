import { BlockList, isIP } from 'node:net'
import { quote } from '../../schema/quote.js'

const schemes = ['http:', 'https:', 'socks5:']

/** Returns what is wrong with the URL of a proxy, or ''. */
export function proxyProblem(url: string): string {
  if (url === '') return ''
  if (!URL.canParse(url)) return `could not parse: ${withoutPassword(url)}`
  const { protocol } = new URL(url)
  if (schemes.includes(protocol)) return ''
  return `unsupported scheme ${quote(protocol.slice(0, -1))}, must be http, https, or socks5`
}

/** Removes user and password. */
export function withoutPassword(url: string): string {
  return url.replace(/^([^/]*\/\/)?[^/]*@/, '$1')
}

/** Returns the proxy for a server from `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; undefined for none. */
export function proxyFromVariables(
  server: string,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { protocol, hostname, port } = new URL(server)
  const named = (name: string) => variables[name] || variables[name.toLowerCase()] || ''
  const proxy = named(protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY')
  if (proxy === '' || isExcluded(hostname.replace(/^\[|\]$/g, ''), port || defaultPorts[protocol]!, named('NO_PROXY')))
    return undefined
  return proxy.includes('://') ? proxy : `http://${proxy}`
}

const defaultPorts: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' }

function isExcluded(host: string, port: string, list: string): boolean {
  if (host === 'localhost' || host.startsWith('127.') || host === '::1') return true
  const names = list.split(',').map((name) => name.trim().toLowerCase())
  return names.some((name) => name !== '' && covers(name, host.toLowerCase(), port))
}

/** An entry is `*`, a CIDR, or a name, which includes its subdomains. Each may have a port. */
function covers(name: string, host: string, port: string): boolean {
  if (name === '*') return true
  if (name.includes('/')) return isInRange(name, host)
  const [, domain = name, onlyPort] = /^([^:]+):(\d+)$/.exec(name) ?? []
  if (onlyPort !== undefined && onlyPort !== port) return false
  const bare = domain.replace(/^\*?\./, '')
  return (host === bare && bare === domain) || host.endsWith(`.${bare}`)
}

function isInRange(range: string, host: string): boolean {
  const [address = '', bits = ''] = range.split('/')
  const family = isIP(host)
  if (family === 0 || isIP(address) !== family) return false
  const block = new BlockList()
  block.addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6')
  return block.check(host, family === 4 ? 'ipv4' : 'ipv6')
}
