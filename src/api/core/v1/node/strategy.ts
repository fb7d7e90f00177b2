import { fieldPath } from '../../../../schema/field-path.js'
import type { Draft } from '../../../../schema/infer.js'
import { declareDefaults, declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { compareText } from '../../../../schema/text-order.js'
import { cidrWarnings } from '../../../../schema/values/addresses.js'
import { Node, NodeSpec } from '../node.js'
import { roundResources } from '../resource-requirements/defaults.js'
import { type NodeAddressType, NodeStatus } from './status.js'
import { validateNode, validateNodeUpdate } from './validation.js'

/** Keeps `podCIDR` equal to the first of `podCIDRs`; `podCIDR` has precedence. */
export const nodeSpecDefaults = declareDefaults<NodeSpec>(NodeSpec, (spec) => {
  const { podCIDR = '', podCIDRs = [] } = spec
  if (podCIDR !== '' && podCIDRs[0] !== podCIDR) spec.podCIDRs = [podCIDR]
  else if (podCIDR === '' && podCIDRs[0]) spec.podCIDR = podCIDRs[0]
})

/** `allocatable` defaults to `capacity`. */
export const nodeStatusDefaults = declareDefaults<NodeStatus>(NodeStatus, (status) => {
  roundResources(status.capacity)
  roundResources(status.allocatable)
  if (status.capacity && !status.allocatable) status.allocatable = { ...status.capacity }
})

export const nodeStrategy = declareStrategy<Node>(Node, {
  /** Keeps the status on create, because nodes register themselves with it. */
  prepareCreate: (draft) => dropConfiguration(draft),
  prepareUpdate(draft, old) {
    draft.status = old.status as typeof draft.status
    dropConfiguration(draft, old)
  },
  validate: (node) => validateNode(node),
  *validateUpdate(node, old) {
    yield* validateNode(node, old)
    yield* validateNodeUpdate(node, old)
  },
  warnings: nodeWarnings,
  fields: { 'spec.unschedulable': ({ spec }) => String(spec.unschedulable ?? false) },
  subresources: {
    status: {
      prepareUpdate(draft, old) {
        draft.spec = old.spec as typeof draft.spec
        dropConfiguration(draft, old)
      },
      validateUpdate: validateNodeUpdate,
    },
  },
})

/** Drops the removed field `configSource`, unless the old node has it. */
function dropConfiguration(draft: Draft<Node>, old?: Node): void {
  if (draft.spec.configSource && !old?.spec.configSource) {
    const { configSource: _, ...spec } = draft.spec
    draft.spec = spec
  }
  if (draft.status.config && !old?.status.config) {
    const { config: _, ...status } = draft.status
    draft.status = status
  }
}

function nodeWarnings({ spec }: Node): readonly string[] {
  const warnings: string[] = []
  if (spec.configSource) warnings.push('spec.configSource: the feature is removed')
  if (spec.externalID) warnings.push('spec.externalID: this field is deprecated, and is unused by Kubernetes')
  const path = fieldPath('spec', 'podCIDRs')
  warnings.push(...(spec.podCIDRs ?? []).flatMap((cidr, i) => cidrWarnings(path.index(i), cidr)))
  return warnings
}

const unknown = '<unknown>'

export const nodeTable = declareTable<Node>(Node, {
  Status: statusCell,
  Roles: (node) => roles(node).join(',') || '<none>',
  Version: ({ status }) => status.nodeInfo?.kubeletVersion ?? '',
  'Internal-IP': (node) => addressOf(node, 'InternalIP'),
  'External-IP': (node) => addressOf(node, 'ExternalIP'),
  'OS-Image': ({ status }) => status.nodeInfo?.osImage || unknown,
  'Kernel-Version': kernelCell,
  'Container-Runtime': ({ status }) => status.nodeInfo?.containerRuntimeVersion || unknown,
})

function statusCell({ spec, status }: Node): string {
  const ready = status.conditions?.find(({ type }) => type === 'Ready')
  const words = [ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown']
  if (spec.unschedulable) words.push('SchedulingDisabled')
  return words.join(',')
}

const rolePrefix = 'node-role.kubernetes.io/'

function roles({ metadata: { labels = {} } }: Node): readonly string[] {
  const found = Object.entries(labels).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return key.slice(rolePrefix.length) || []
    return (key === 'kubernetes.io/role' && value) || []
  })
  return [...new Set(found)].sort(compareText)
}

function addressOf({ status }: Node, type: NodeAddressType): string {
  return status.addresses?.find((address) => address.type === type)?.address ?? '<none>'
}

function kernelCell({ status: { nodeInfo } }: Node): string {
  if (!nodeInfo?.kernelVersion) return unknown
  return nodeInfo.architecture === '' ? nodeInfo.kernelVersion : `${nodeInfo.kernelVersion} (${nodeInfo.architecture})`
}
