import { bool, enumeration, int32, list, map, oneOf, ref, string, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, schema } from '../../../schema/schema.js'
import type { ObjectReference } from '../../core/v1/object-reference.js'
import { Protocol } from '../../core/v1/protocol.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const AddressType = enumeration('discovery/v1.AddressType', ['IPv4', 'IPv6', 'FQDN'])
export type AddressType = Values<typeof AddressType>

export const EndpointSlice = kind('discovery/v1.EndpointSlice', {
  required: {
    addressType: oneOf(4, AddressType),
  },
  optional: {
    metadata: objectMetadata,
    endpoints: list(2, ref<Endpoint>('discovery/v1.Endpoint'), { always: true }),
    ports: list(3, ref<EndpointPort>('discovery/v1.EndpointPort'), { always: true }),
  },
  resource: {
    plural: 'endpointslices',
    namespaced: true,
    columns: [nameColumn, column('AddressType'), column('Ports'), column('Endpoints'), ageColumn],
  },
})
export interface EndpointSlice extends Instance<typeof EndpointSlice> {}

export const Endpoint = schema('discovery/v1.Endpoint', {
  required: {
    addresses: list(1, string, { set: true }),
  },
  optional: {
    conditions: ref<EndpointConditions>(2, 'discovery/v1.EndpointConditions', { always: true }),
    hostname: string(3, { keepZero: true }),
    targetRef: ref<ObjectReference>(4, 'core/v1.ObjectReference'),
    deprecatedTopology: map(5, string),
    nodeName: string(6, { keepZero: true }),
    zone: string(7, { keepZero: true }),
    hints: ref<EndpointHints>(8, 'discovery/v1.EndpointHints'),
  },
})
export interface Endpoint extends Infer<typeof Endpoint> {}

export const EndpointConditions = schema('discovery/v1.EndpointConditions', {
  optional: {
    ready: bool(1, { keepZero: true }),
    serving: bool(2, { keepZero: true }),
    terminating: bool(3, { keepZero: true }),
  },
})
export interface EndpointConditions extends Infer<typeof EndpointConditions> {}

export const EndpointHints = schema('discovery/v1.EndpointHints', {
  optional: {
    forZones: list(1, ref<ForZone>('discovery/v1.ForZone')),
    forNodes: list(2, ref<ForNode>('discovery/v1.ForNode')),
  },
})
export interface EndpointHints extends Infer<typeof EndpointHints> {}

export const ForNode = schema('discovery/v1.ForNode', {
  required: {
    name: string(1),
  },
})
export interface ForNode extends Infer<typeof ForNode> {}

export const ForZone = schema('discovery/v1.ForZone', {
  required: {
    name: string(1),
  },
})
export interface ForZone extends Infer<typeof ForZone> {}

export const EndpointPort = schema('discovery/v1.EndpointPort', {
  optional: {
    name: string(1, { keepZero: true }),
    protocol: oneOf(2, Protocol, { keepZero: true }),
    port: int32(3, { keepZero: true }),
    appProtocol: string(4, { keepZero: true }),
  },
  atomic: true,
})
export interface EndpointPort extends Infer<typeof EndpointPort> {}
