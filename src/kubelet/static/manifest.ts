import { createHash } from 'node:crypto'
import { validatePod } from '../../api/core/v1/pod/validation.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Toleration } from '../../api/core/v1/taint.js'
import { subdomainName } from '../../api/metadata/name-validation.js'
import { validateMetadata } from '../../api/metadata/object-metadata.js'
import { builtin } from '../../api/scheme.js'
import { decodeValue } from '../../schema/decode/decoder.js'
import { setDefaults } from '../../schema/defaults.js'
import { aggregateMessages } from '../../schema/field-errors.js'
import type { Draft } from '../../schema/infer.js'
import { isObject } from '../../schema/json-value.js'
import { parseYaml } from '../../wire/yaml.js'
import { apiReference } from './api-references.js'
import { sourceAnnotation } from './pod-source.js'

/** The manifest does not describe a valid pod. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'
}

export const hashAnnotation = 'kubernetes.io/config.hash'
export const seenAnnotation = 'kubernetes.io/config.seen'

/** The file of a manifest, and the node that runs it. */
export interface ManifestSource {
  readonly path: string
  readonly nodeName: string
}

/** Static pods tolerate NoExecute taints: no controller would replace an evicted one. */
const toleratesAll: Toleration = { operator: 'Exists', effect: 'NoExecute' }

const criticalPriorities: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
])

/** Returns the pod of a JSON or YAML manifest, completed for this node. Rejects with a `ManifestError`. */
export async function podFromManifest(text: string, source: ManifestSource): Promise<Pod> {
  const draft = await decoded(text)
  fillIn(draft, source)
  const pod = draft as unknown as Pod
  const context = { time: '', allowPrivileged: true, user: { name: '', uid: '', groups: [], extra: {} } }
  const rules = { namespaced: true, name: subdomainName, qualifiedFinalizers: true }
  const errors = [...validateMetadata(pod.metadata, rules), ...validatePod(pod, context)]
  if (errors.length > 0) throw new ManifestError(`invalid pod: ${aggregateMessages(errors.map(String))}`)
  const referred = apiReference(pod)
  if (referred !== undefined) throw new ManifestError(`static pods may not reference ${referred}`)
  return pod
}

async function decoded(text: string): Promise<Draft<Pod>> {
  const type = builtin.type('core/v1.Pod')
  const value = await parsed(text)
  if (!isObject(value) || value.apiVersion !== 'v1' || value.kind !== 'Pod')
    throw new ManifestError("couldn't parse as pod: it is no v1 Pod")
  try {
    const { object } = decodeValue(type, value, 'Ignore')
    setDefaults(type, object)
    return object as unknown as Draft<Pod>
  } catch (error) {
    throw new ManifestError(`couldn't parse as pod: ${(error as Error).message}`, { cause: error })
  }
}

async function parsed(text: string): Promise<unknown> {
  try {
    return (await parseYaml(text)).value
  } catch (error) {
    throw new ManifestError(`couldn't parse as pod: ${(error as Error).message}`, { cause: error })
  }
}

function fillIn(pod: Draft<Pod>, { path, nodeName }: ManifestSource): void {
  const { metadata, spec } = pod
  metadata.uid ||= uidOf(pod as unknown as Pod, { path, nodeName })
  if (metadata.name) metadata.name = `${metadata.name}-${nodeName.toLowerCase()}`
  metadata.namespace ||= 'default'
  metadata.annotations = { ...metadata.annotations, [hashAnnotation]: metadata.uid, [sourceAnnotation]: 'file' }
  spec.nodeName = nodeName
  const others = (spec.tolerations ?? []).filter(
    ({ key, operator, value, effect }) => key || value || operator !== 'Exists' || effect !== 'NoExecute',
  )
  spec.tolerations = [...others, toleratesAll]
  const priority = criticalPriorities.get(spec.priorityClassName ?? '')
  if (priority !== undefined) spec.priority ??= priority
  pod.status = { phase: 'Pending' }
}

/** Derives the uid from the content, the path and the node. A change of any of them makes a new pod. */
function uidOf(pod: Pod, { path, nodeName }: ManifestSource): string {
  const text = `${JSON.stringify(pod)}host:${nodeName}file:${path}`
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
