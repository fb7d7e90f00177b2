import { bool, int32, map, ref, string, time } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema } from '../../../schema/schema.js'
import type { PersistentVolumeSpec } from '../../core/v1/persistent-volume.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const VolumeAttachment = kind('storage/v1.VolumeAttachment', {
  required: {
    spec: ref<VolumeAttachmentSpec>(2, 'storage/v1.VolumeAttachmentSpec'),
  },
  optional: {
    metadata: objectMetadata,
    status: ref<VolumeAttachmentStatus>(3, 'storage/v1.VolumeAttachmentStatus', { always: true }),
  },
  resource: {
    plural: 'volumeattachments',
    returnsDeleted: true,
    subresources: { status: objectSubresource },
    columns: [
      nameColumn,
      column('Attacher', { format: 'name' }),
      column('PV'),
      column('Node'),
      column('Attached', { type: 'boolean' }),
      ageColumn,
    ],
  },
})
export interface VolumeAttachment extends Instance<typeof VolumeAttachment> {}

export const VolumeAttachmentSpec = schema('storage/v1.VolumeAttachmentSpec', {
  required: {
    attacher: string(1),
    source: ref<VolumeAttachmentSource>(2, 'storage/v1.VolumeAttachmentSource'),
    nodeName: string(3),
  },
})
export interface VolumeAttachmentSpec extends Infer<typeof VolumeAttachmentSpec> {}

export const VolumeAttachmentSource = schema('storage/v1.VolumeAttachmentSource', {
  optional: {
    persistentVolumeName: string(1, { keepZero: true }),
    inlineVolumeSpec: ref<PersistentVolumeSpec>(2, 'core/v1.PersistentVolumeSpec'),
  },
})
export interface VolumeAttachmentSource extends Infer<typeof VolumeAttachmentSource> {}

export const VolumeAttachmentStatus = schema('storage/v1.VolumeAttachmentStatus', {
  required: {
    attached: bool(1),
  },
  optional: {
    attachmentMetadata: map(2, string),
    attachError: ref<VolumeError>(3, 'storage/v1.VolumeError'),
    detachError: ref<VolumeError>(4, 'storage/v1.VolumeError'),
  },
})
export interface VolumeAttachmentStatus extends Infer<typeof VolumeAttachmentStatus> {}

export const VolumeError = schema('storage/v1.VolumeError', {
  optional: {
    time: time(1, { always: true }),
    message: string(2),
    errorCode: int32(3, { keepZero: true }),
  },
})
export interface VolumeError extends Infer<typeof VolumeError> {}
