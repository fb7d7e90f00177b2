import type { JsonObject } from '../../schema/declaration.js'
import { objectIn } from '../../schema/json-value.js'
import { errorMessage, throwAll } from '../command-errors.js'
import { isNotFound } from '../factory/rest.js'
import { fetchObjects } from '../resources/fetch.js'
import { metadataOf, type ResourceObject, resourcePath } from '../resources/resource-object.js'
import type { DrainContext } from './flags.js'

/** The decision about one pod. */
interface DrainDecision {
  readonly isDeleted: boolean
  readonly warning?: string
  readonly error?: string
}

const deleted: DrainDecision = { isDeleted: true }
const kept: DrainDecision = { isDeleted: false }

type PodFilter = (pod: ResourceObject, call: DrainContext) => DrainDecision | Promise<DrainDecision>

/** Applied in this order until one keeps the pod. The last decision counts. */
const filters: readonly PodFilter[] = [
  terminatingFilter,
  daemonSetFilter,
  mirrorPodFilter,
  localStorageFilter,
  unmanagedFilter,
]

interface PodsToDrain {
  readonly pods: readonly ResourceObject[]
  /** '' for none. */
  readonly warnings: string
}

/** Returns the pods of a node that a drain deletes. Throws if some of them need a flag first. */
export async function podsToDrain(call: DrainContext, node: string): Promise<PodsToDrain> {
  const infos = await fetchObjects(call.factory, {
    args: ['pods'],
    'all-namespaces': true,
    'field-selector': `spec.nodeName=${node}`,
    selector: call.flags['pod-selector'],
    chunkSize: call.flags['chunk-size'],
  })
  const pods: ResourceObject[] = []
  const warnings = new Map<string, string[]>()
  const errors = new Map<string, string[]>()
  const note = (notes: Map<string, string[]>, said: string, pod: ResourceObject) =>
    notes.set(said, [...(notes.get(said) ?? []), `${pod.namespace}/${pod.name}`])
  for (const pod of infos) {
    const verdict = await decide(pod, call)
    if (verdict.isDeleted) pods.push(pod)
    if (verdict.warning !== undefined) note(warnings, verdict.warning, pod)
    if (verdict.error !== undefined) note(errors, verdict.error, pod)
  }
  throwAll([...errors].map(([said, names]) => new Error(`${rejectionText(said)}: ${names.join(', ')}`)))
  return { pods, warnings: [...warnings].map(([said, names]) => `${said}: ${names.join(', ')}`).join('; ') }
}

function rejectionText(said: string): string {
  return said.toLowerCase().startsWith('cannot delete') ? said : `cannot delete ${said}`
}

async function decide(pod: ResourceObject, call: DrainContext): Promise<DrainDecision> {
  let last = deleted
  for (const each of filters) {
    last = await each(pod, call)
    if (!last.isDeleted) return last
  }
  return last
}

function isFinished({ object }: ResourceObject): boolean {
  const phase = objectIn(object, 'status')?.phase
  return phase === 'Succeeded' || phase === 'Failed'
}

function controllerOf({ object }: ResourceObject): JsonObject | undefined {
  return metadataOf(object).ownerReferences?.find(({ controller }) => controller === true)
}

function terminatingFilter(pod: ResourceObject, call: DrainContext): DrainDecision {
  return isSkippedAsTerminating(pod, call) ? kept : deleted
}

/** Whether the pod has been terminating for longer than `--skip-wait-for-delete-timeout`. */
export function isSkippedAsTerminating(
  { object }: Pick<ResourceObject, 'object'>,
  { flags, factory }: DrainContext,
): boolean {
  const { deletionTimestamp } = metadataOf(object)
  const limit = flags['skip-wait-for-delete-timeout']
  if (limit <= 0 || deletionTimestamp === undefined) return false
  return factory.environment.clock.now() - Date.parse(deletionTimestamp) > limit * 1000
}

/** Pods of a deleted daemon set are orphans, which need `--force`. */
async function daemonSetFilter(pod: ResourceObject, { flags, factory }: DrainContext): Promise<DrainDecision> {
  const controller = controllerOf(pod)
  if (controller?.kind !== 'DaemonSet' || isFinished(pod)) return deleted
  try {
    const resource = await (await factory.mapper()).kind({ group: 'apps', version: 'v1', kind: 'DaemonSet' })
    await (await factory.rest()).json({ path: resourcePath(resource, pod.namespace, String(controller.name)) })
  } catch (error) {
    return isNotFound(error) && flags.force
      ? { isDeleted: true, warning: errorMessage(error) }
      : { isDeleted: false, error: errorMessage(error) }
  }
  return flags['ignore-daemonsets']
    ? { isDeleted: false, warning: 'ignoring DaemonSet-managed Pods' }
    : { isDeleted: false, error: 'DaemonSet-managed Pods (use --ignore-daemonsets to ignore)' }
}

/** Keeps mirror pods, because the kubelet would create them again. */
function mirrorPodFilter({ object }: ResourceObject): DrainDecision {
  return metadataOf(object).annotations?.['kubernetes.io/config.mirror'] === undefined ? deleted : kept
}

function localStorageFilter(pod: ResourceObject, { flags }: DrainContext): DrainDecision {
  const volumes = (objectIn(pod.object, 'spec')?.volumes ?? []) as readonly JsonObject[]
  if (!volumes.some(({ emptyDir }) => emptyDir !== undefined) || isFinished(pod)) return deleted
  return flags['delete-emptydir-data']
    ? { isDeleted: true, warning: 'deleting Pods with local storage' }
    : { isDeleted: false, error: 'Pods with local storage (use --delete-emptydir-data to override)' }
}

function unmanagedFilter(pod: ResourceObject, { flags }: DrainContext): DrainDecision {
  if (isFinished(pod) || controllerOf(pod) !== undefined) return deleted
  return flags.force
    ? { isDeleted: true, warning: 'deleting Pods that declare no controller' }
    : { isDeleted: false, error: 'cannot delete Pods that declare no controller (use --force to override)' }
}
