import { int32, list, oneOf, openEnumeration, ref, string, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import type { ListMeta } from './list-meta.js'

export const StatusReason = openEnumeration('meta/v1.StatusReason', [
  'Unauthorized',
  'Forbidden',
  'NotFound',
  'AlreadyExists',
  'Conflict',
  'Gone',
  'Invalid',
  'ServerTimeout',
  'StorageReadError',
  'Timeout',
  'TooManyRequests',
  'BadRequest',
  'MethodNotAllowed',
  'NotAcceptable',
  'RequestEntityTooLarge',
  'UnsupportedMediaType',
  'InternalError',
  'Expired',
  'ServiceUnavailable',
])
export type StatusReason = Values<typeof StatusReason>

export const CauseType = openEnumeration('meta/v1.CauseType', [
  'FieldValueNotFound',
  'FieldValueRequired',
  'FieldValueDuplicate',
  'FieldValueInvalid',
  'FieldValueNotSupported',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'InternalError',
  'FieldValueTypeInvalid',
  'UnexpectedServerResponse',
  'FieldManagerConflict',
  'ResourceVersionTooLarge',
])
export type CauseType = Values<typeof CauseType>

export const Status = kind('meta/v1.Status', {
  optional: {
    metadata: ref<ListMeta>(1, 'meta/v1.ListMeta', { always: true }),
    status: string(2),
    message: string(3),
    reason: oneOf(4, StatusReason),
    details: ref<StatusDetails>(5, 'meta/v1.StatusDetails'),
    code: int32(6),
  },
})
export interface Status extends Instance<typeof Status> {}

export const StatusDetails = schema('meta/v1.StatusDetails', {
  optional: {
    name: string(1),
    group: string(2),
    kind: string(3),
    causes: list(4, ref<StatusCause>('meta/v1.StatusCause')),
    retryAfterSeconds: int32(5),
    uid: string(6, { goType: 'types.UID' }),
  },
})
export interface StatusDetails extends Infer<typeof StatusDetails> {}

export const StatusCause = schema('meta/v1.StatusCause', {
  optional: {
    reason: oneOf(1, CauseType),
    message: string(2),
    field: string(3),
  },
})
export interface StatusCause extends Infer<typeof StatusCause> {}
