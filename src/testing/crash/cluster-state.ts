import { Pod } from '../../api/core/v1/pod.js'
import type { KubeObject } from '../../api/kube-object.js'
import type { Client } from '../../client/client.js'
import type { SharedInformers } from '../../client/informers/informer.js'
import { controllerOf } from '../../controllers/runtime/owners.js'
import { takeSnapshot } from '../world-check/cluster-snapshot.js'

/** Kinds that depend on time. */
const ignoredKinds = new Set(['Event', 'Lease'])
const scenarioNamespaces = new Set(['shop', 'works', 'attic'])

/** Returns all objects of the scenario as sorted lines, without uids, times, revisions and random names. */
export async function clusterStateOf(client: Client): Promise<readonly string[]> {
  const { objects } = await takeSnapshot(client)
  return objects.filter(isOurs).map(normalForm).sort()
}

function isOurs({ kind, metadata: { namespace, name } }: KubeObject): boolean {
  if (ignoredKinds.has(kind)) return false
  return namespace
    ? scenarioNamespaces.has(namespace)
    : kind === 'Node' || (kind === 'Namespace' && scenarioNamespaces.has(name ?? ''))
}

function normalForm(object: KubeObject): string {
  const { kind, metadata, ...rest } = object
  const { uid, resourceVersion, creationTimestamp, managedFields, generation, ...kept } = metadata
  const { 'endpoints.kubernetes.io/last-change-trigger-time': _, ...annotations } = kept.annotations ?? {}
  const whole = { kind, metadata: { ...kept, annotations }, ...rest }
  return JSON.stringify(whole, (key, value) => normalValue(key, value, generation))
}

function normalValue(key: string, value: unknown, generation: number | undefined): unknown {
  // The number of generations depends on timing. That the latest generation was observed does not.
  if (key === 'observedGeneration') return value === generation ? 'the latest' : 'not the latest'
  if (key === 'endpoints' || key === 'subsets') return sorted(value as readonly unknown[])
  return typeof value === 'string' ? withoutRandomText(value) : inOrder(value)
}

function withoutRandomText(text: string): string {
  return text.replace(times, '<time>').replace(uids, '<uid>').replace(addresses, '<ip>').replace(suffixes, '*')
}

const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g
const uids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** Generated names end in five characters of this alphabet. */
const suffixes = /(?<=[a-z0-9]-)[bcdfghjklmnpqrstvwxz2456789]{5}(?![\w-])/g
const addresses = /\b\d+\.\d+\.\d+\.\d+\b/g

function sorted(list: readonly unknown[] | null | undefined): unknown {
  return list && [...list].map((each) => JSON.stringify(each, (_, value) => normalValue('', value, 0))).sort()
}

/** Sorts members, because their order depends on who wrote first. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** Returns the lines that only one side has, or '' if both are equal. */
export function stateDifference(expected: readonly string[], found: readonly string[]): string {
  const rest = [...found]
  const missing = expected.filter((line) => {
    const index = rest.indexOf(line)
    if (index >= 0) rest.splice(index, 1)
    return index < 0
  })
  return [...missing.map((line) => `- ${line}`), ...rest.map((line) => `+ ${line}`)].join('\n')
}

/** Counts the pods that were created for each owner, and those that succeeded. */
export class PodCounter {
  readonly #created = new Map<string, number>()
  readonly #succeeded = new Map<string, number>()

  constructor(informers: SharedInformers) {
    informers.of(Pod).onChange(({ type, object, old }) => {
      if (type === 'added') count(this.#created, object)
      if (object.status.phase === 'Succeeded' && old && old.status.phase !== 'Succeeded') count(this.#succeeded, object)
    })
  }

  lines(): readonly string[] {
    const linesOf = (did: string, counts: ReadonlyMap<string, number>) =>
      [...counts].map(([owner, number]) => `${owner}: ${number} pods ${did}`).sort()
    return [...linesOf('created', this.#created), ...linesOf('succeeded', this.#succeeded)]
  }
}

function count(counts: Map<string, number>, pod: Pod): void {
  const { kind, name } = controllerOf(pod) ?? { kind: 'none', name: '' }
  const owner = `${pod.metadata.namespace}/${kind}/${name}`
  counts.set(owner, (counts.get(owner) ?? 0) + 1)
}
