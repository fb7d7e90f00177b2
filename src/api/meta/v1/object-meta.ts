import {
  bool,
  fieldsV1,
  int64,
  list,
  map,
  oneOf,
  openEnumeration,
  ref,
  string,
  time,
  type Values,
} from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'
import type { Initializers } from './initializers.js'

export const ManagedFieldsOperationType = openEnumeration('meta/v1.ManagedFieldsOperationType', ['Apply', 'Update'])
export type ManagedFieldsOperationType = Values<typeof ManagedFieldsOperationType>

/** The `metadata` of every kind whose objects are stored. */
export const objectMetadata = ref<ObjectMeta>(1, 'meta/v1.ObjectMeta', { always: true })

export const ObjectMeta = schema('meta/v1.ObjectMeta', {
  optional: {
    name: string(1),
    generateName: string(2),
    namespace: string(3),
    selfLink: string(4),
    uid: string(5, { goType: 'types.UID' }),
    resourceVersion: string(6),
    generation: int64(7),
    creationTimestamp: time(8),
    deletionTimestamp: time(9),
    deletionGracePeriodSeconds: int64(10, { keepZero: true }),
    labels: map(11, string),
    annotations: map(12, string),
    ownerReferences: list(13, ref<OwnerReference>('meta/v1.OwnerReference'), { keys: ['uid'], mergeKey: 'uid' }),
    finalizers: list(14, string, { set: true, patch: 'merge' }),
    initializers: ref<Initializers>(16, 'meta/v1.Initializers', { gate: 'Initializers' }),
    managedFields: list(17, ref<ManagedFieldsEntry>('meta/v1.ManagedFieldsEntry')),
  },
})
export interface ObjectMeta extends Infer<typeof ObjectMeta> {}

export const ManagedFieldsEntry = schema('meta/v1.ManagedFieldsEntry', {
  optional: {
    manager: string(1),
    operation: oneOf(2, ManagedFieldsOperationType),
    apiVersion: string(3),
    time: time(4),
    fieldsType: string(6),
    fieldsV1: fieldsV1(7),
    subresource: string(8),
  },
})
export interface ManagedFieldsEntry extends Infer<typeof ManagedFieldsEntry> {}

export const OwnerReference = schema('meta/v1.OwnerReference', {
  required: {
    kind: string(1),
    name: string(3),
    uid: string(4, { goType: 'types.UID' }),
    apiVersion: string(5),
  },
  optional: {
    controller: bool(6, { keepZero: true }),
    blockOwnerDeletion: bool(7, { keepZero: true }),
  },
  atomic: true,
})
export interface OwnerReference extends Infer<typeof OwnerReference> {}
