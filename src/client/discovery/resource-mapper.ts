import { quote } from '../../schema/quote.js'
import type { Discovered, DiscoveredResource } from './discovered.js'
import type { Discover } from './discovery.js'
import { describeKind, describeResource, type PartialName, readings } from './resource-name.js'

/** The server serves nothing of that name. */
export class NoMatchError extends Error {
  override readonly name = 'NoMatchError'
}

/** Several resources of one group and version have that name. */
export class AmbiguousNameError extends Error {
  override readonly name = 'AmbiguousNameError'
}

export interface KindName {
  readonly kind: string
  /** '' for the core group. */
  readonly group: string
  /** The preferred version by default. */
  readonly version?: string
}

export interface MapperOptions {
  /** Called if a short name has several meanings. */
  readonly warn?: (warning: string) => void
}

/** Finds resources by name, short name, category or kind. If nothing matches, it discovers again before it fails. */
export class ResourceMapper {
  readonly #discover: Discover
  readonly #warn: (warning: string) => void

  constructor(discover: Discover, { warn = () => {} }: MapperOptions = {}) {
    this.#discover = discover
    this.#warn = warn
  }

  /**
   * Accepts `pods`, `pod`, `po`, `deployments.apps`, `deployments.v1.apps`, `deploy.app`, `Deployment.v1.apps`. If several groups match,
   * the first one of the server wins, in its preferred version.
   */
  resource(argument: string, signal?: AbortSignal): Promise<DiscoveredResource> {
    const [{ name }] = readings(argument).slice(-1) as [PartialName]
    return this.#find(
      (served) => this.#named(served, argument),
      `the server doesn't have a resource type ${quote(name)}`,
      signal,
    )
  }

  /** Returns the resource of a kind. */
  kind({ kind, group, version = '' }: KindName, signal?: AbortSignal): Promise<DiscoveredResource> {
    const wanted = { name: kind, group, version }
    const place =
      version === '' ? `in group ${quote(group)}` : `in version ${quote(group ? `${group}/${version}` : version)}`
    return this.#find((served) => kindIn(served, wanted), `no matches for kind ${quote(kind)} ${place}`, signal)
  }

  /** Returns all resources of a category such as `all`, each in its preferred version. */
  async category(name: string, signal?: AbortSignal): Promise<readonly DiscoveredResource[]> {
    return (await this.preferred(signal)).filter(({ categories }) => categories.includes(name))
  }

  /** Returns every resource once: in the preferred version of its group, or in the first version that has it. */
  async preferred(signal?: AbortSignal): Promise<readonly DiscoveredResource[]> {
    const { groups } = await this.#discover({ signal })
    return groups.flatMap(({ versions }) => {
      const byName = new Map<string, DiscoveredResource>()
      for (const { resources } of versions)
        for (const resource of resources) if (!byName.has(resource.plural)) byName.set(resource.plural, resource)
      return [...byName.values()]
    })
  }

  async #find(
    look: (served: Discovered) => DiscoveredResource | undefined,
    missing: string,
    signal: AbortSignal | undefined,
  ): Promise<DiscoveredResource> {
    const known = await this.#discover({ signal })
    const found = look(known)
    if (found) return found
    const anew = await this.#discover({ isFresh: true, signal })
    const late = anew === known ? undefined : look(anew)
    if (late) return late
    throw new NoMatchError(missing)
  }

  #named(served: Discovered, argument: string): DiscoveredResource | undefined {
    const all = readings(argument)
    for (const reading of all) {
      const found = this.#byName(served, reading) ?? this.#byShortName(served, reading)
      if (found) return found
    }
    for (const reading of all) {
      const found = kindIn(served, reading)
      if (found) return found
    }
    return undefined
  }

  #byName(served: Discovered, wanted: PartialName): DiscoveredResource | undefined {
    const name = wanted.name.toLowerCase()
    const isCalled = ({ plural, singular }: DiscoveredResource) => plural === name || singular === name
    return first(inGroup(served, wanted, isCalled), (matches) => {
      const list = matches.map((each) => describeResource({ ...each, name: each.plural })).join(' ')
      return `${describeResource(wanted)} matches multiple resources [${list}]`
    })
  }

  #byShortName(served: Discovered, wanted: PartialName): DiscoveredResource | undefined {
    const [found, ...others] = inGroup(served, wanted, ({ shortNames }) => shortNames.includes(wanted.name))
    if (!found) return undefined
    const names = others.filter(({ group, plural }) => group !== found.group || plural !== found.plural).map(fullName)
    for (const name of new Set(names))
      this.#warn(`short name ${quote(wanted.name)} could also match lower priority resource ${name}`)
    return found
  }
}

function fullName({ plural, group }: DiscoveredResource): string {
  return group === '' ? plural : `${plural}.${group}`
}

function kindIn(served: Discovered, wanted: PartialName): DiscoveredResource | undefined {
  const matches = byPriority(served).filter(
    ({ kind, group, version }) =>
      kind === wanted.name && group === wanted.group && (wanted.version === '' || version === wanted.version),
  )
  return first(matches, (several) => {
    const list = several.map((each) => describeResource({ ...each, name: each.plural })).join(' ')
    return `${describeKind(wanted)} matches multiple resources [${list}]`
  })
}

/** Groups may be abbreviated, unless one has exactly that name. */
function inGroup(
  served: Discovered,
  wanted: PartialName,
  matches: (resource: DiscoveredResource) => boolean,
): readonly DiscoveredResource[] {
  const { group, version } = wanted
  const found = byPriority(served).filter(
    (resource) => matches(resource) && (version === '' || resource.version === version),
  )
  if (group === '') return found
  const exact = found.filter((resource) => resource.group === group)
  return exact.length > 0 ? exact : found.filter((resource) => resource.group.startsWith(group))
}

/** Preferred versions first, group by group; then the others. */
function byPriority({ groups }: Discovered): readonly DiscoveredResource[] {
  const preferred = groups.flatMap(({ versions }) => versions[0]?.resources ?? [])
  return [...preferred, ...groups.flatMap(({ versions }) => versions.slice(1).flatMap(({ resources }) => resources))]
}

function first(
  matches: readonly DiscoveredResource[],
  ambiguity: (matches: readonly DiscoveredResource[]) => string,
): DiscoveredResource | undefined {
  const [found] = matches
  const rivals = matches.filter(({ root }) => root === found?.root)
  if (rivals.length > 1) throw new AmbiguousNameError(ambiguity(rivals))
  return found
}
