/** The cost of all default admission plugins for the create of a pod, in a namespace like those of real clusters. */
import type { KubeObject } from '../../src/api/kube-object.js'
import { builtin } from '../../src/api/scheme.js'
import { Admission, type AdmissionRequest } from '../../src/apiserver/admission/admission.js'
import { type AdmissionPluginOptions, createAdmissionPlugins } from '../../src/apiserver/admission/registry.js'
import { openObjectStore } from '../../src/apiserver/cache/cached-object-store.js'
import type { Companion } from '../../src/apiserver/registry/resource-hooks.js'
import { ResourceMap } from '../../src/apiserver/registry/resource-map.js'
import { environment } from '../../src/base/environment.js'
import { decodeJson } from '../../src/schema/decode/decoder.js'
import { setDefaults } from '../../src/schema/defaults.js'
import type { Draft } from '../../src/schema/infer.js'
import { MemoryStore } from '../../src/storage/memory/memory-store.js'
import { cpuMicroseconds, type ReportFigure } from '../figure.js'
import { typicalPod } from '../typical-pod.js'
import { admissionObjects } from './admission-objects.js'

const { metadata, spec } = typicalPod
const budget = '≤ 40 µs'
const bytes = Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec }))

export async function admissionFigures(report: ReportFigure): Promise<void> {
  const parse = await cpuMicroseconds(
    () => bytes,
    (given) => void JSON.parse(given.toString()),
  )
  const measure = async (name: string, objects: readonly object[], limit?: string) => {
    const { draft, admit } = await openAdmission(objects)
    const value = await cpuMicroseconds(draft, admit)
    const note = `${(value / parse).toFixed(1)} times the ${parse.toFixed(1)} µs of parsing its ${bytes.length} bytes of JSON`
    report({ name: `admission: ${name}`, value, unit: 'µs', note, ...(limit && { budget: limit }) })
  }
  const { bare, common, full } = admissionObjects
  await measure('pod, nothing around it', bare)
  await measure('pod, limit range, quota, account', common, budget)
  await measure('pod, restricted, quotas with scopes', full)
}

/** Creates the plugins on a store in memory, and the request for a pod as the create verb sends it. */
async function openAdmission(objects: readonly object[]) {
  const around = environment()
  const store = await openObjectStore(new MemoryStore({ environment: around }), around, { soleWriter: true })
  const resources = new ResourceMap(builtin, store, {})
  for (const object of objects as readonly KubeObject[]) {
    const resource = [...resources].find(
      ({ type }) => type.kind.apiVersion === object.apiVersion && type.kind.kind === object.kind,
    )!
    const key = resource.key(object.metadata.namespace ?? '', object.metadata.name ?? '')
    await store.write([{ key, expected: 0, object }])
  }
  const admission = new Admission(createAdmissionPlugins(pluginOptions({ environment: around, resources, store })))
  const pods = resources.find('', 'v1', 'pods')!
  const draft = () => {
    const { object } = decodeJson(pods.type, bytes, 'Strict')
    setDefaults(pods.type, object)
    return object as unknown as Draft<KubeObject>
  }
  return { draft, admit: (object: Draft<KubeObject>) => admit(admission, { ...request, resource: pods, object }) }
}

function pluginOptions(
  dependencies: Pick<AdmissionPluginOptions, 'environment' | 'resources' | 'store'>,
): AdmissionPluginOptions {
  return {
    ...dependencies,
    gates: new Set(),
    isAllowed: () => true,
    authorize: () => ({ decision: 'allow', reason: '' }),
    createNamespace: () => Promise.reject(new Error('the namespace is there')),
  }
}

const request: Omit<AdmissionRequest, 'resource' | 'object'> = {
  operation: 'CREATE',
  subresource: '',
  namespace: metadata.namespace,
  name: metadata.name,
  old: undefined,
  user: { name: 'system:serviceaccount:kube-system:replicaset-controller', uid: 'u', groups: [], extra: {} },
  dryRun: false,
  options: {},
  warn: () => undefined,
  alsoWrite: () => undefined,
}

/** Runs admission, including the changes that the store writes together with the pod. */
async function admit(admission: Admission, given: AdmissionRequest): Promise<void> {
  const companions: Companion[] = []
  await admission.mutate(given)
  await admission.validate({ ...given, alsoWrite: (companion) => void companions.push(companion) })
  for (const companion of companions) {
    const changes = await companion.changes({ draft: given.object, old: undefined, dryRun: false })
    if (changes.length === 0) throw new Error('a quota was not charged')
    companion.settled?.()
  }
}
