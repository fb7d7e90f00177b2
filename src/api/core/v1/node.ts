import { bool, list, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import {
  ageColumn,
  column,
  kind,
  nameColumn,
  objectSubresource,
  proxySubresource,
  schema,
  wideColumn,
} from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { NodeConfigSource, NodeStatus } from './node/status.js'
import type { Taint } from './taint.js'

export const Node = kind('core/v1.Node', {
  optional: {
    metadata: objectMetadata,
    spec: ref<NodeSpec>(2, 'core/v1.NodeSpec', { always: true }),
    status: ref<NodeStatus>(3, 'core/v1.NodeStatus', { always: true }),
  },
  resource: {
    plural: 'nodes',
    shortNames: ['no'],
    subresources: {
      proxy: proxySubresource('NodeProxyOptions'),
      status: objectSubresource,
    },
    columns: [
      nameColumn,
      column('Status'),
      column('Roles'),
      ageColumn,
      column('Version'),
      wideColumn('Internal-IP'),
      wideColumn('External-IP'),
      wideColumn('OS-Image'),
      wideColumn('Kernel-Version'),
      wideColumn('Container-Runtime'),
    ],
  },
})
export interface Node extends Instance<typeof Node> {}

export const NodeSpec = schema('core/v1.NodeSpec', {
  optional: {
    podCIDR: string(1),
    externalID: string(2),
    providerID: string(3),
    unschedulable: bool(4),
    taints: list(5, ref<Taint>('core/v1.Taint')),
    configSource: ref<NodeConfigSource>(6, 'core/v1.NodeConfigSource'),
    podCIDRs: list(7, string, { set: true, patch: 'merge' }),
  },
})
export interface NodeSpec extends Infer<typeof NodeSpec> {}
