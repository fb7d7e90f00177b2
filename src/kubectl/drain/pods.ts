import type { JsonObject } from '../../schema/declaration.js'
import { objectIn } from '../../schema/json-value.js'
import { errorMessage, throwAll } from '../command-errors.js'
import { isNotFound } from '../factory/rest.js'
import { fetchInfos } from '../resources/fetch.js'
import { metadataOf, pathOf, type ResourceObject } from '../resources/info.js'
import type { DrainCall } from './flags.js'

/** What becomes of one pod: whether it goes, and what is said of it. */
interface Verdict {
  readonly goes: boolean
  readonly warning?: string
  readonly error?: string
}

const goes: Verdict = { goes: true }
const stays: Verdict = { goes: false }

type Judge = (pod: ResourceObject, call: DrainCall) => Verdict | Promise<Verdict>

/** Asked one after another until one lets the pod stay; what the last of them says counts. */
const judges: readonly Judge[] = [whereItHasBeenEnding, ofDaemonSet, ofFile, withLocalData, withoutController]

interface Drained {
  readonly pods: readonly ResourceObject[]
  /** '' for none. */
  readonly warnings: string
}

/** The pods of a node that have to go. Throws where some of them must not without being told so. */
export async function podsToDrain(call: DrainCall, node: string): Promise<Drained> {
  const infos = await fetchInfos(call.factory, {
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
    const verdict = await judge(pod, call)
    if (verdict.goes) pods.push(pod)
    if (verdict.warning !== undefined) note(warnings, verdict.warning, pod)
    if (verdict.error !== undefined) note(errors, verdict.error, pod)
  }
  throwAll([...errors].map(([said, names]) => new Error(`${refusal(said)}: ${names.join(', ')}`)))
  return { pods, warnings: [...warnings].map(([said, names]) => `${said}: ${names.join(', ')}`).join('; ') }
}

function refusal(said: string): string {
  return said.toLowerCase().startsWith('cannot delete') ? said : `cannot delete ${said}`
}

async function judge(pod: ResourceObject, call: DrainCall): Promise<Verdict> {
  let last = goes
  for (const each of judges) {
    last = await each(pod, call)
    if (!last.goes) return last
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

function whereItHasBeenEnding(pod: ResourceObject, call: DrainCall): Verdict {
  return hasBeenEnding(pod, call) ? stays : goes
}

/** For so long that nobody waits for it any more. */
export function hasBeenEnding({ object }: Pick<ResourceObject, 'object'>, { flags, factory }: DrainCall): boolean {
  const { deletionTimestamp } = metadataOf(object)
  const limit = flags['skip-wait-for-delete-timeout']
  if (limit <= 0 || deletionTimestamp === undefined) return false
  return factory.surroundings.clock.now() - Date.parse(deletionTimestamp) > limit * 1000
}

/** Whoever is gone makes no pods again: these are orphans, and go by force. */
async function ofDaemonSet(pod: ResourceObject, { flags, factory }: DrainCall): Promise<Verdict> {
  const controller = controllerOf(pod)
  if (controller?.kind !== 'DaemonSet' || isFinished(pod)) return goes
  try {
    const resource = await (await factory.mapper()).kind({ group: 'apps', version: 'v1', kind: 'DaemonSet' })
    await (await factory.rest()).json({ path: pathOf(resource, pod.namespace, String(controller.name)) })
  } catch (error) {
    return isNotFound(error) && flags.force
      ? { goes: true, warning: errorMessage(error) }
      : { goes: false, error: errorMessage(error) }
  }
  return flags['ignore-daemonsets']
    ? { goes: false, warning: 'ignoring DaemonSet-managed Pods' }
    : { goes: false, error: 'DaemonSet-managed Pods (use --ignore-daemonsets to ignore)' }
}

/** The node itself has it from a file: it would be there again at once. */
function ofFile({ object }: ResourceObject): Verdict {
  return metadataOf(object).annotations?.['kubernetes.io/config.mirror'] === undefined ? goes : stays
}

function withLocalData(pod: ResourceObject, { flags }: DrainCall): Verdict {
  const volumes = (objectIn(pod.object, 'spec')?.volumes ?? []) as readonly JsonObject[]
  if (!volumes.some(({ emptyDir }) => emptyDir !== undefined) || isFinished(pod)) return goes
  return flags['delete-emptydir-data']
    ? { goes: true, warning: 'deleting Pods with local storage' }
    : { goes: false, error: 'Pods with local storage (use --delete-emptydir-data to override)' }
}

function withoutController(pod: ResourceObject, { flags }: DrainCall): Verdict {
  if (isFinished(pod) || controllerOf(pod) !== undefined) return goes
  return flags.force
    ? { goes: true, warning: 'deleting Pods that declare no controller' }
    : { goes: false, error: 'cannot delete Pods that declare no controller (use --force to override)' }
}
