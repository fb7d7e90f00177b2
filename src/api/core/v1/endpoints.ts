import { int32, list, oneOf, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { ObjectReference } from './object-reference.js'
import { Protocol } from './protocol.js'

export const Endpoints = kind('core/v1.Endpoints', {
  optional: {
    metadata: objectMetadata,
    subsets: list(2, ref<EndpointSubset>('core/v1.EndpointSubset')),
  },
  resource: {
    plural: 'endpoints',
    deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
    shortNames: ['ep'],
    namespaced: true,
    columns: [nameColumn, column('Endpoints'), ageColumn],
  },
})
export interface Endpoints extends Instance<typeof Endpoints> {}

export const EndpointSubset = schema('core/v1.EndpointSubset', {
  optional: {
    addresses: list(1, ref<EndpointAddress>('core/v1.EndpointAddress')),
    notReadyAddresses: list(2, ref<EndpointAddress>('core/v1.EndpointAddress')),
    ports: list(3, ref<EndpointPort>('core/v1.EndpointPort')),
  },
})
export interface EndpointSubset extends Infer<typeof EndpointSubset> {}

export const EndpointAddress = schema('core/v1.EndpointAddress', {
  required: {
    ip: string(1),
  },
  optional: {
    targetRef: ref<ObjectReference>(2, 'core/v1.ObjectReference'),
    hostname: string(3),
    nodeName: string(4, { keepZero: true }),
  },
  atomic: true,
})
export interface EndpointAddress extends Infer<typeof EndpointAddress> {}

export const EndpointPort = schema('core/v1.EndpointPort', {
  required: {
    port: int32(2),
  },
  optional: {
    name: string(1),
    protocol: oneOf(3, Protocol),
    appProtocol: string(4, { keepZero: true }),
  },
  atomic: true,
})
export interface EndpointPort extends Infer<typeof EndpointPort> {}
