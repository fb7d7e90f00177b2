import type { JsonObject } from '../../schema/declaration.js'
import { objectIn } from '../../schema/json-value.js'
import { CommandUsageError } from '../command-errors.js'
import type { Factory } from '../factory/factory.js'
import { fetchObjects } from '../resources/fetch.js'
import { type ResourceObject, resourceName, resourcePath } from '../resources/resource-object.js'
import { listPods, podInfo, podResource, selectorText } from '../resources/workload-pods.js'
import { withDeadline } from '../wait/deletion.js'

/** Resources whose selector selects pods. Selectors of others, such as claims, select something else. */
const selecting: ReadonlySet<string> = new Set([
  'daemonsets.apps',
  'deployments.apps',
  'jobs.batch',
  'replicasets.apps',
  'replicationcontrollers',
  'services',
  'statefulsets.apps',
])

/** Fetches the object of `web`, `deployment/web` or `deployment web`. */
export async function namedObject(factory: Factory, words: readonly string[]): Promise<ResourceObject> {
  const [first = ''] = words
  const args = words.length > 1 || first.includes('/') ? words : ['pods', first]
  return (await fetchObjects(factory, { args }))[0]!
}

/** Throws if the timeout is not positive. */
export function runningTimeout(path: string, given: number): number {
  if (given <= 0) throw new CommandUsageError(path, '--pod-running-timeout must be higher than zero')
  return given
}

/** Returns the object if it is a pod, otherwise the best of the pods that it selects. Waits for the first pod. */
export async function attachablePod(factory: Factory, info: ResourceObject, timeout: number): Promise<ResourceObject> {
  if (resourceName(info.resource) === 'pods') return info
  const selector = selectorOf(info)
  const [best] = await listPods(factory, info.namespace, selector)
  return best ?? firstPod(factory, { namespace: info.namespace, selector, timeout })
}

function selectorOf({ resource, name, object }: ResourceObject): string {
  const type = `*${resource.version}.${resource.kind}`
  if (!selecting.has(resourceName(resource)))
    throw new Error(`cannot attach to ${type}: selector for ${type} not implemented`)
  const selector = objectIn(object, 'spec')?.selector as JsonObject | undefined
  if (!selector || Object.keys(selector).length === 0)
    throw new Error(`cannot attach to ${type}: invalid service '${name}': Service is defined without a selector`)
  return selectorText(selector)
}

interface Search {
  readonly namespace: string
  readonly selector: string
  readonly timeout: number
}

/** A watch without a revision starts with the existing pods. */
async function firstPod(factory: Factory, { namespace, selector, timeout }: Search): Promise<ResourceObject> {
  const { clock } = factory.environment
  const late = 'timed out waiting for the condition'
  const rest = await factory.rest()
  const resource = await podResource(factory)
  const query = { labelSelector: selector, watch: true }
  return withDeadline({ clock, deadline: clock.monotonic() + timeout }, late, async (signal) => {
    for (;;) {
      for await (const { type, object } of rest.watch({ path: resourcePath(resource, namespace), query, signal }))
        if (type === 'ADDED' || type === 'MODIFIED') return podInfo(resource, namespace, object as JsonObject)
      signal.throwIfAborted()
    }
  })
}
