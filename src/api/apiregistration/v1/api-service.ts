import {
  bool,
  bytes,
  int32,
  list,
  oneOf,
  openEnumeration,
  ref,
  string,
  time,
  type Values,
} from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const APIServiceConditionType = openEnumeration('apiregistration/v1.APIServiceConditionType', ['Available'])
export type APIServiceConditionType = Values<typeof APIServiceConditionType>

export const ConditionStatus = openEnumeration('apiregistration/v1.ConditionStatus', ['True', 'False', 'Unknown'])
export type ConditionStatus = Values<typeof ConditionStatus>

export const APIService = kind('apiregistration/v1.APIService', {
  optional: {
    metadata: objectMetadata,
    spec: ref<APIServiceSpec>(0, 'apiregistration/v1.APIServiceSpec', { always: true }),
    status: ref<APIServiceStatus>(0, 'apiregistration/v1.APIServiceStatus', { always: true }),
  },
  resource: {
    plural: 'apiservices',
    categories: ['api-extensions'],
    subresources: { status: objectSubresource },
    columns: [nameColumn, column('Service'), column('Available'), ageColumn],
  },
})
export interface APIService extends Instance<typeof APIService> {}

export const APIServiceSpec = schema('apiregistration/v1.APIServiceSpec', {
  required: {
    groupPriorityMinimum: int32(0),
    versionPriority: int32(0),
  },
  optional: {
    service: ref<ServiceReference>(0, 'apiregistration/v1.ServiceReference'),
    group: string(0),
    version: string(0),
    insecureSkipTLSVerify: bool(0),
    caBundle: bytes(0),
  },
})
export interface APIServiceSpec extends Infer<typeof APIServiceSpec> {}

export const ServiceReference = schema('apiregistration/v1.ServiceReference', {
  optional: {
    namespace: string(0),
    name: string(0),
    port: int32(0, { default: 443, keepZero: true }),
  },
})
export interface ServiceReference extends Infer<typeof ServiceReference> {}

export const APIServiceStatus = schema('apiregistration/v1.APIServiceStatus', {
  optional: {
    conditions: list(0, ref<APIServiceCondition>('apiregistration/v1.APIServiceCondition'), {
      keys: ['type'],
      mergeKey: 'type',
    }),
  },
})
export interface APIServiceStatus extends Infer<typeof APIServiceStatus> {}

export const APIServiceCondition = schema('apiregistration/v1.APIServiceCondition', {
  required: {
    type: oneOf(0, APIServiceConditionType),
    status: oneOf(0, ConditionStatus),
  },
  optional: {
    lastTransitionTime: time(0, { always: true }),
    reason: string(0),
    message: string(0),
  },
})
export interface APIServiceCondition extends Infer<typeof APIServiceCondition> {}
