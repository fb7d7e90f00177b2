import { BlockList, isIP } from 'node:net'
import { quote } from '../../schema/quote.js'

const schemes = ['http:', 'https:', 'socks5:']

/** What is wrong with the address of a proxy; '' where nothing is. */
export function proxyProblem(url: string): string {
  if (url === '') return ''
  if (!URL.canParse(url)) return `could not parse: ${withoutPassword(url)}`
  const { protocol } = new URL(url)
  if (schemes.includes(protocol)) return ''
  return `unsupported scheme ${quote(protocol.slice(0, -1))}, must be http, https, or socks5`
}

/** As it may be shown. */
export function withoutPassword(url: string): string {
  return url.replace(/^([^/]*\/\/)?[^/]*@/, '$1')
}

/** Through which proxy the environment wants a server to be reached; undefined for none. `NO_PROXY` names those that are near. */
export function proxyFromVariables(
  server: string,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { protocol, hostname, port } = new URL(server)
  const named = (name: string) => variables[name] || variables[name.toLowerCase()] || ''
  const proxy = named(protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY')
  if (proxy === '' || isNear(hostname.replace(/^\[|\]$/g, ''), port || defaultPorts[protocol]!, named('NO_PROXY')))
    return undefined
  return proxy.includes('://') ? proxy : `http://${proxy}`
}

const defaultPorts: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' }

function isNear(host: string, port: string, list: string): boolean {
  if (host === 'localhost' || host.startsWith('127.') || host === '::1') return true
  const names = list.split(',').map((name) => name.trim().toLowerCase())
  return names.some((name) => name !== '' && covers(name, host.toLowerCase(), port))
}

/** `*` for all; a range of addresses; a name, which stands for those below it, too; each perhaps with a port. */
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
