import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import { groupOf } from '../../client/resource-location.js'
import { preferred, type ServedResources } from '../runtime/discovery.js'

/** Events are not owned by the objects that they are about; they expire. */
const ignored: ReadonlySet<string> = new Set(['events.', 'events.events.k8s.io'])

const requiredVerbs = ['list', 'watch', 'delete']

/** The kinds that the server serves, and which of them are collected. */
export class ServedKinds {
  readonly #byKind = new Map<string, DiscoveredResource>()
  /** The resources that can be watched and deleted, each in one version. */
  readonly collected: readonly DiscoveredResource[]

  constructor({ resources }: ServedResources) {
    const readable = resources.filter(({ verbs }) => verbs.includes('get'))
    for (const resource of [...readable].reverse()) {
      this.#byKind.set(`${resource.group} ${resource.kind}`, resource)
      this.#byKind.set(`${resource.apiVersion} ${resource.kind}`, resource)
    }
    this.collected = preferred(
      resources.filter(
        ({ verbs, plural, group }) =>
          requiredVerbs.every((verb) => verbs.includes(verb)) && !ignored.has(`${plural}.${group}`),
      ),
    )
  }

  /** The resource of a kind; in another version if this one is not served. */
  find(apiVersion: string, kind: string): DiscoveredResource | undefined {
    return this.#byKind.get(`${apiVersion} ${kind}`) ?? this.#byKind.get(`${groupOf(apiVersion)} ${kind}`)
  }
}
