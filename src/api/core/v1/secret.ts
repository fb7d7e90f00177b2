import { bool, bytes, map, oneOf, openEnumeration, string, type Values } from '../../../schema/fields.js'
import type { Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const SecretType = openEnumeration('core/v1.SecretType', [
  'Opaque',
  'kubernetes.io/service-account-token',
  'kubernetes.io/dockercfg',
  'kubernetes.io/dockerconfigjson',
  'kubernetes.io/basic-auth',
  'kubernetes.io/ssh-auth',
  'kubernetes.io/tls',
  'bootstrap.kubernetes.io/token',
])
export type SecretType = Values<typeof SecretType>

export const Secret = kind('core/v1.Secret', {
  optional: {
    metadata: objectMetadata,
    data: map(2, bytes),
    type: oneOf(3, SecretType, { default: 'Opaque' }),
    stringData: map(4, string),
    immutable: bool(5, { keepZero: true }),
  },
  resource: { plural: 'secrets', namespaced: true, columns: [nameColumn, column('Type'), column('Data'), ageColumn] },
})
export interface Secret extends Instance<typeof Secret> {}
