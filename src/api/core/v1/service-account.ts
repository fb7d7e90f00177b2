import { bool, list, ref } from '../../../schema/fields.js'
import type { Instance } from '../../../schema/infer.js'
import { kind } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { LocalObjectReference, ObjectReference } from './object-reference.js'

export const ServiceAccount = kind('core/v1.ServiceAccount', {
  optional: {
    metadata: objectMetadata,
    secrets: list(2, ref<ObjectReference>('core/v1.ObjectReference'), { keys: ['name'], mergeKey: 'name' }),
    imagePullSecrets: list(3, ref<LocalObjectReference>('core/v1.LocalObjectReference')),
    automountServiceAccountToken: bool(4, { keepZero: true }),
  },
  resource: {
    plural: 'serviceaccounts',
    returnsDeleted: true,
    shortNames: ['sa'],
    namespaced: true,
    subresources: { token: { verbs: ['create'], kind: 'authentication/v1.TokenRequest' } },
  },
})
export interface ServiceAccount extends Instance<typeof ServiceAccount> {}
