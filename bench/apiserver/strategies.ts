import type { KubeObject } from '../../src/api/kube-object.js'
import { bornMetadata, carriedMetadata } from '../../src/api/metadata/system-fields.js'
import { builtin } from '../../src/api/scheme.js'
import type { StrategyResource } from '../../src/apiserver/verbs/kind-strategy.js'
import { strategyWarnings, validNewObject, validUpdatedObject } from '../../src/apiserver/verbs/kind-strategy.js'
import { decodeJson } from '../../src/schema/decode/decoder.js'
import { setDefaults } from '../../src/schema/defaults.js'
import type { Draft } from '../../src/schema/infer.js'
import type { ServedKind } from '../../src/schema/scheme.js'
import type { StrategyContext } from '../../src/schema/strategy.js'
import { microseconds, type ReportFigure } from '../figure.js'
import { typicalPod } from '../typical-pod.js'

const { metadata, spec } = typicalPod
const labels = { app: 'web' }

const typicalDeployment = {
  metadata: { name: 'web', namespace: 'default', labels },
  spec: { replicas: 3, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
}

const typicalService = {
  metadata: { name: 'web', namespace: 'default', labels },
  spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
}

/** Many short rounds, so that at least one of them is undisturbed by other processes. */
const rounds = [250, 120] as const

type Metadata = Draft<KubeObject>['metadata']

const context: StrategyContext = {
  time: '2024-01-01T00:00:00Z',
  allowPrivileged: false,
  user: { name: 'admin', uid: '', groups: [], extra: {} },
}

/** The cost of a kind's strategy for a write: everything between decoding and storing, without admission. */
export async function strategyFigures(report: ReportFigure): Promise<void> {
  kindFigures(report, 'core/v1.Pod', { metadata, spec }, '≤ 120 µs')
  kindFigures(report, 'apps/v1.Deployment', typicalDeployment)
  kindFigures(report, 'core/v1.Service', typicalService)
}

function kindFigures(report: ReportFigure, name: string, body: object, budget?: string): void {
  const type = builtin.type(name) as ServedKind
  const resource: StrategyResource = { type, stored: type, isView: false, fromStored: (object) => object }
  const { apiVersion, kind } = type.kind
  const bytes = Buffer.from(JSON.stringify({ apiVersion, kind, ...body }))
  const read = () => decodeJson(type, bytes, 'Strict').object as unknown as Draft<KubeObject>
  const create = () => createdObject(resource, read())
  const old = create()
  const update = () => {
    const draft = read()
    setDefaults(type, draft)
    draft.metadata = { ...carriedMetadata(draft.metadata, old.metadata), resourceVersion: '1' } as Metadata
    const object = validUpdatedObject(resource, draft, old, { ...context, subresource: '' })
    strategyWarnings(type, object, old)
  }
  const decoding = microseconds(() => void read(), ...rounds)
  const note = `after ${decoding.toFixed(1)} µs to decode ${bytes.length} bytes`
  const creation = microseconds(() => void create(), ...rounds) - decoding
  report({ name: `${kind}: rules of a create`, value: creation, unit: 'µs', note, ...(budget && { budget }) })
  report({ name: `${kind}: rules of an update`, value: microseconds(update, ...rounds) - decoding, unit: 'µs' })
}

function createdObject(resource: StrategyResource, draft: Draft<KubeObject>): KubeObject {
  setDefaults(resource.type, draft)
  draft.metadata = bornMetadata(draft.metadata, 'u', context.time) as Metadata
  const object = validNewObject(resource, draft, context)
  strategyWarnings(resource.type, object, undefined)
  return object
}
