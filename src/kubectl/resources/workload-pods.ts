import { LabelSelector } from '../../api/selectors/label-selector.js'
import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import type { JsonObject } from '../../schema/declaration.js'
import { objectIn } from '../../schema/json-value.js'
import type { Factory } from '../factory/factory.js'
import { itemsOf, metadataOf, objectPath, type ResourceObject, resourceName, resourcePath } from './resource-object.js'

/** Returns the pods of an object: itself, or those that it selects, best first. */
export async function podsOfObject(factory: Factory, info: ResourceObject): Promise<readonly ResourceObject[]> {
  if (resourceName(info.resource) === 'pods') return [info]
  const selector = objectIn(info.object, 'spec')?.selector as JsonObject | undefined
  if (!selector)
    throw new Error(
      `cannot get the logs from ${info.resource.group === '' ? '' : `${info.resource.group}/`}${info.resource.kind}: no selector`,
    )
  return listPods(factory, info.namespace, selectorText(selector))
}

/** Formats a selector as a query, for both forms of selectors. */
export function selectorText(selector: JsonObject): string {
  const isPlain = Object.values(selector).every((value) => typeof value === 'string')
  return LabelSelector.from((isPlain ? { matchLabels: selector } : selector) as never).toString()
}

/** Lists pods, best first. */
export async function listPods(
  factory: Factory,
  namespace: string,
  labelSelector: string,
): Promise<readonly ResourceObject[]> {
  const resource = await podResource(factory)
  const path = resourcePath(resource, namespace)
  const list = await (await factory.rest()).json<JsonObject>({ path, query: { labelSelector } })
  return itemsOf(list)
    .map((object) => podInfo(resource, namespace, object))
    .sort((left, right) => byReadiness(left.object, right.object))
}

export async function podResource(factory: Factory): Promise<DiscoveredResource> {
  return (await factory.mapper()).kind({ group: '', version: 'v1', kind: 'Pod' })
}

export function podInfo(resource: DiscoveredResource, namespace: string, object: JsonObject): ResourceObject {
  return { resource, namespace, name: metadataOf(object).name ?? '', object, source: '' }
}

interface NamedContainer {
  readonly name: string
}

/** The names of all containers: regular, init and ephemeral. */
export function containerNames(pod: JsonObject): readonly string[] {
  return ['containers', 'initContainers', 'ephemeralContainers'].flatMap((field) => namesIn(pod, field))
}

function namesIn(pod: JsonObject, field: string): readonly string[] {
  const containers = (objectIn(pod, 'spec')?.[field] ?? []) as unknown as readonly NamedContainer[]
  return containers.map(({ name }) => name)
}

const defaultContainer = 'kubectl.kubernetes.io/default-container'

/** Returns the named or the default container. Reports the default if there are several. */
export async function chooseContainer(
  pod: ResourceObject,
  given: string,
  err: (text: string) => Promise<void>,
): Promise<string> {
  const names = containerNames(pod.object)
  if (given !== '') {
    if (!names.includes(given)) throw new Error(`container ${given} not found in pod ${pod.name}`)
    return given
  }
  const annotated = metadataOf(pod.object).annotations?.[defaultContainer]
  if (annotated !== undefined && names.includes(annotated)) return annotated
  const all = [
    ...namesIn(pod.object, 'containers'),
    ...namesIn(pod.object, 'ephemeralContainers').map((name) => `${name} (ephem)`),
    ...namesIn(pod.object, 'initContainers').map((name) => `${name} (init)`),
  ]
  if (all.length > 1) await err(`Defaulted container "${names[0]}" out of: ${all.join(', ')}\n`)
  return names[0] ?? ''
}

export function podPath(pod: ResourceObject, subresource: string): string {
  return objectPath(pod, subresource)
}

interface Condition {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime?: string
}

/** The rank of a phase. A pod that has ended ranks as low as one that has not started. */
const phases: Readonly<Record<string, number>> = { Running: 2, Unknown: 1 }

/** Sorts pods: scheduled, running and ready ones first; then those that are ready longest, have fewest restarts, and are oldest. */
function byReadiness(left: JsonObject, right: JsonObject): number {
  const [one, other] = [worth(left), worth(right)]
  for (const [index, value] of one.entries()) if (value !== other[index]) return other[index]! - value
  return 0
}

/** The sort key of a pod: the first difference decides, higher is better. */
function worth(pod: JsonObject): readonly number[] {
  const status = objectIn(pod, 'status') ?? {}
  const conditions = (status.conditions ?? []) as unknown as readonly Condition[]
  const ready = conditions.find((condition) => condition.type === 'Ready' && condition.status === 'True')
  const containers = (status.containerStatuses ?? []) as unknown as readonly { readonly restartCount?: number }[]
  return [
    objectIn(pod, 'spec')?.nodeName ? 1 : 0,
    phases[String(status.phase)] ?? 0,
    ready ? 1 : 0,
    ready ? -timeOf(ready.lastTransitionTime) : 0,
    -Math.max(0, ...containers.map(({ restartCount = 0 }) => restartCount)),
    -timeOf(metadataOf(pod).creationTimestamp),
  ]
}

/** A missing time counts as the newest. */
function timeOf(text: string | undefined): number {
  return text === undefined ? Number.MAX_VALUE : Date.parse(text)
}
