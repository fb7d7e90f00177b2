import type { PodDNSConfig } from '../../../api/core/v1/pod/spec.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { quote } from '../../../schema/quote.js'
import { ipFamily } from '../../../schema/values/ip-address.js'
import { formatPod } from '../../pods/pod-containers.js'

export interface ResolverOptions {
  /** The host's resolver. Undefined if pods must not use it (`--resolv-conf=""`). */
  readonly host: Resolver | undefined
  readonly clusterDns: readonly string[]
  readonly clusterDomain: string
  readonly hostAddresses: readonly string[]
  /** Called with the reason and message of an event for everything that was omitted or changed. */
  readonly warn: (reason: string, message: string) => void
}

const clusterOptions = ['ndots:5']

/** Parses a `resolv.conf`: every `nameserver`, and the last `search` and `options`. Throws for a `nameserver` without an address. */
export function parseResolver(text: string): Resolver {
  const servers: string[] = []
  let searches: readonly string[] = []
  let options: readonly string[] = []
  for (const line of text.split('\n')) {
    const [keyword, ...words] = line.trim().split(/\s+/)
    if (keyword === 'search') searches = words.map((word) => word.replace(/\.$/, ''))
    if (keyword === 'options') options = words
    if (keyword !== 'nameserver') continue
    if (words.length === 0) throw new Error('nameserver list is empty ')
    servers.push(words[0]!)
  }
  return { servers, searches, options }
}

export function podResolver(pod: Pod, dependencies: ResolverOptions): Resolver {
  const base = byPolicy(pod, dependencies)
  return limitResolver(pod.spec.dnsConfig ? merged(base, pod.spec.dnsConfig) : base, dependencies.warn)
}

function byPolicy(pod: Pod, dependencies: ResolverOptions): Resolver {
  const { dnsPolicy = 'ClusterFirst', hostNetwork = false } = pod.spec
  if (dnsPolicy === 'None') return { servers: [], searches: [], options: [] }
  const isOfCluster = dnsPolicy === 'ClusterFirstWithHostNet' || (dnsPolicy === 'ClusterFirst' && !hostNetwork)
  if (!isOfCluster) return hostResolver(dependencies)
  if (dependencies.clusterDns.length > 0) return clusterResolver(pod, dependencies)
  const problem = `kubelet does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. Falling back to "Default" policy.`
  dependencies.warn('MissingClusterDNS', `pod: ${quote(formatPod(pod))}. ${problem}`)
  return hostResolver(dependencies)
}

function clusterResolver({ metadata }: Pod, { host, clusterDns, clusterDomain }: ResolverOptions): Resolver {
  const ofHost = host?.searches ?? []
  const ofCluster = [`${metadata.namespace}.svc.${clusterDomain}`, `svc.${clusterDomain}`, clusterDomain]
  return {
    servers: clusterDns,
    searches: clusterDomain ? [...new Set([...ofCluster, ...ofHost])] : ofHost,
    options: clusterOptions,
  }
}

/** Without the host's resolver, returns a server that does not exist, so that the runtime does not use the host's. */
function hostResolver({ host, hostAddresses }: ResolverOptions): Resolver {
  if (host) return host
  const own = hostAddresses.map((address) => (ipFamily(address) === 6 ? '::1' : '127.0.0.1'))
  return { servers: own.length > 0 ? own : ['127.0.0.1'], searches: ['.'], options: [] }
}

function merged({ servers, searches, options }: Resolver, config: PodDNSConfig): Resolver {
  return {
    servers: [...new Set([...servers, ...(config.nameservers ?? [])])],
    searches: [...new Set([...searches, ...(config.searches ?? [])])],
    options: mergedOptions(options, config.options ?? []),
  }
}

function mergedOptions(
  options: readonly string[],
  more: readonly { readonly name?: string; readonly value?: string }[],
): readonly string[] {
  const values = new Map<string, string>()
  for (const option of options) {
    const [, name = '', value = ''] = /^([^:]*):?(.*)$/.exec(option) ?? []
    values.set(name, value)
  }
  for (const { name = '', value = '' } of more) values.set(name, value)
  return [...values].map(([name, value]) => (value ? `${name}:${value}` : name))
}

/** The contents of a `resolv.conf`. */
export interface Resolver {
  readonly servers: readonly string[]
  readonly searches: readonly string[]
  readonly options: readonly string[]
}

/** Limits of common resolvers, as upstream. */
const mostServers = 3
const mostSearches = 32
const longestSearchLine = 2048
const longestSearch = 253

type Warn = (reason: string, message: string) => void

/** Truncates the lists and warns about it. */
function limitResolver(resolver: Resolver, warn: Warn): Resolver {
  return {
    servers: limitedServers(resolver.servers, warn),
    searches: limitedSearches(resolver.searches, warn),
    options: resolver.options,
  }
}

function limitedServers(servers: readonly string[], warn: Warn): readonly string[] {
  if (servers.length <= mostServers) return servers
  const kept = servers.slice(0, mostServers)
  warn(
    'DNSConfigForming',
    `Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: ${kept.join(' ')}`,
  )
  return kept
}

function limitedSearches(searches: readonly string[], warn: Warn): readonly string[] {
  const kept = searches.slice(0, mostSearches).filter((search) => search.length <= longestSearch)
  while (kept.join(' ').length > longestSearchLine) kept.pop()
  if (kept.length === searches.length) return searches
  warn(
    'DNSConfigForming',
    `Search Line limits were exceeded, some search paths have been omitted, the applied search line is: ${kept.join(' ')}`,
  )
  return kept
}
