import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import { groupOf } from '../../client/resource-location.js'
import { preferred, type ServedResources } from '../runtime/discovery.js'

/** Events tell of objects and are not theirs: they go by themselves. */
const ignored: ReadonlySet<string> = new Set(['events.', 'events.events.k8s.io'])

const needed = ['list', 'watch', 'delete']

/** Which kinds there are, and which of them are collected. */
export class Kinds {
  readonly #byKind = new Map<string, DiscoveredResource>()
  /** Those that can be watched and deleted, each in one version. */
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
          needed.every((verb) => verbs.includes(verb)) && !ignored.has(`${plural}.${group}`),
      ),
    )
  }

  /** Where objects of a kind are; in another version, if that one is not served any more. */
  find(apiVersion: string, kind: string): DiscoveredResource | undefined {
    return this.#byKind.get(`${apiVersion} ${kind}`) ?? this.#byKind.get(`${groupOf(apiVersion)} ${kind}`)
  }
}
