import { int64, list, ref, string, time } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const TokenRequest = kind('authentication/v1.TokenRequest', {
  optional: {
    metadata: objectMetadata,
    spec: ref<TokenRequestSpec>(2, 'authentication/v1.TokenRequestSpec', { always: true }),
    status: ref<TokenRequestStatus>(3, 'authentication/v1.TokenRequestStatus', { always: true }),
  },
})
export interface TokenRequest extends Instance<typeof TokenRequest> {}

export const TokenRequestSpec = schema('authentication/v1.TokenRequestSpec', {
  optional: {
    audiences: list(1, string, { always: true }),
    boundObjectRef: ref<BoundObjectReference>(3, 'authentication/v1.BoundObjectReference', { always: 'null' }),
    expirationSeconds: int64(4, { default: 3600, always: 'null' }),
  },
})
export interface TokenRequestSpec extends Infer<typeof TokenRequestSpec> {}

export const BoundObjectReference = schema('authentication/v1.BoundObjectReference', {
  optional: {
    kind: string(1),
    apiVersion: string(2),
    name: string(3),
    uid: string(4, { goType: 'types.UID' }),
  },
})
export interface BoundObjectReference extends Infer<typeof BoundObjectReference> {}

export const TokenRequestStatus = schema('authentication/v1.TokenRequestStatus', {
  optional: {
    token: string(1, { always: true }),
    expirationTimestamp: time(2, { always: true }),
  },
})
export interface TokenRequestStatus extends Infer<typeof TokenRequestStatus> {}
