import { string } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'

export const LocalObjectReference = schema('core/v1.LocalObjectReference', {
  optional: {
    name: string(1, { default: '' }),
  },
  atomic: true,
})
export interface LocalObjectReference extends Infer<typeof LocalObjectReference> {}

export const ObjectReference = schema('core/v1.ObjectReference', {
  optional: {
    kind: string(1),
    namespace: string(2),
    name: string(3),
    uid: string(4, { goType: 'types.UID' }),
    apiVersion: string(5),
    resourceVersion: string(6),
    fieldPath: string(7),
  },
  atomic: true,
})
export interface ObjectReference extends Infer<typeof ObjectReference> {}

export const SecretReference = schema('core/v1.SecretReference', {
  optional: {
    name: string(1),
    namespace: string(2),
  },
  atomic: true,
})
export interface SecretReference extends Infer<typeof SecretReference> {}

export const TypedLocalObjectReference = schema('core/v1.TypedLocalObjectReference', {
  required: {
    kind: string(2),
    name: string(3),
  },
  optional: {
    apiGroup: string(1, { always: 'null' }),
  },
  atomic: true,
})
export interface TypedLocalObjectReference extends Infer<typeof TypedLocalObjectReference> {}

export const TypedObjectReference = schema('core/v1.TypedObjectReference', {
  required: {
    kind: string(2),
    name: string(3),
  },
  optional: {
    apiGroup: string(1, { always: 'null' }),
    namespace: string(4, { keepZero: true }),
  },
})
export interface TypedObjectReference extends Infer<typeof TypedObjectReference> {}
