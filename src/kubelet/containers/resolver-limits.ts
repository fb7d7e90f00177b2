/** How names are looked up: the lines of a `resolv.conf`. */
export interface Resolver {
  readonly servers: readonly string[]
  readonly searches: readonly string[]
  readonly options: readonly string[]
}

/** What resolvers can be relied upon to take, by upstream's numbers. */
const mostServers = 3
const mostSearches = 32
const longestSearchLine = 2048
const longestSearch = 253

type Warn = (reason: string, message: string) => void

/** Leaves out what would be too much, and says so. */
export function resolverLimited(resolver: Resolver, warn: Warn): Resolver {
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
