import type { FieldError } from '../../../schema/field-errors.js'
import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import { dnsSubdomain } from '../../../schema/names.js'
import { declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { checkInlineVolumeSpec } from '../../core/v1/persistent-volume/validation.js'
import { checkCsiDriverName } from '../../core/v1/volume/driver-validation.js'
import type { ObjectMeta } from '../../meta/v1/object-meta.js'
import { immutable, isSame } from '../../validation/immutability.js'
import { largestParameters as largestMetadata, sizeOfMap } from './driver-parameters.js'
import {
  VolumeAttachment,
  type VolumeAttachmentSource,
  type VolumeAttachmentSpec,
  type VolumeAttachmentStatus,
  type VolumeError,
} from './volume-attachment.js'

const specPath = fieldPath('spec')

export const volumeAttachmentStrategy = declareStrategy<VolumeAttachment>(VolumeAttachment, {
  prepareCreate(draft) {
    draft.status = { attached: false }
  },
  validate: (attachment) => [...attachmentErrors(attachment), ...driverErrors(attachment.spec)],
  validateUpdate: (attachment, old) => [...attachmentErrors(attachment), ...changeErrors(attachment.spec, old.spec)],
  updatedUnconditionally: false,
  subresources: {
    status: {
      prepareUpdate(draft, old) {
        draft.spec = old.spec as Draft<VolumeAttachmentSpec>
        keepMetadata(draft, old)
      },
    },
  },
})

export const volumeAttachmentTable = declareTable<VolumeAttachment>(VolumeAttachment, {
  Attacher: ({ spec }) => spec.attacher,
  PV: ({ spec }) => spec.source.persistentVolumeName ?? '',
  Node: ({ spec }) => spec.nodeName,
  Attached: ({ status }) => status.attached,
})

const usersMetadata = [
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
] as const satisfies readonly (keyof ObjectMeta)[]

/** Restores the metadata in a write of the status. */
function keepMetadata(draft: Draft<VolumeAttachment>, { metadata }: VolumeAttachment): void {
  const kept = Object.fromEntries(usersMetadata.flatMap((name) => (metadata[name] ? [[name, metadata[name]]] : [])))
  const {
    labels: _labels,
    annotations: _annotations,
    finalizers: _finalizers,
    ownerReferences: _owners,
    ...rest
  } = draft.metadata
  draft.metadata = { ...rest, ...kept }
}

function attachmentErrors({ spec, status }: VolumeAttachment): readonly FieldError[] {
  const errors: FieldError[] = []
  if (spec.attacher === '') errors.push(field.required(specPath.child('attacher')))
  checkSource(spec.source, specPath.child('source'), errors)
  errors.push(...field.invalidForEach(specPath.child('nodeName'), spec.nodeName, dnsSubdomain(spec.nodeName)))
  checkStatus(status, fieldPath('status'), errors)
  return errors
}

/** Later validations, which only apply to new attachments. */
function driverErrors({ attacher, source }: VolumeAttachmentSpec): readonly FieldError[] {
  const errors: FieldError[] = []
  checkCsiDriverName(attacher, specPath.child('attacher'), errors)
  const { persistentVolumeName: name } = source
  if (name !== undefined)
    errors.push(...field.invalidForEach(specPath.child('source', 'persistentVolumeName'), name, dnsSubdomain(name)))
  return errors
}

const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'

function checkSource(source: VolumeAttachmentSource, path: FieldPath, errors: FieldError[]): void {
  const { persistentVolumeName: name, inlineVolumeSpec: inline } = source
  if (name === undefined && !inline) errors.push(field.required(path, exactlyOne))
  else if (name !== undefined && inline) errors.push(field.forbidden(path, exactlyOne))
  else if (name === '')
    errors.push(field.required(path.child('persistentVolumeName'), 'must specify non empty persistentVolumeName'))
  else if (inline) checkInlineVolumeSpec(inline, path.child('inlineVolumeSpec'), errors)
}

function checkStatus(status: VolumeAttachmentStatus, path: FieldPath, errors: FieldError[]): void {
  if (sizeOfMap(status.attachmentMetadata ?? {}) > largestMetadata)
    errors.push(field.tooLong(path.child('attachmentMetadata'), largestMetadata))
  checkVolumeError(status.attachError, path.child('attachError'), errors)
  checkVolumeError(status.detachError, path.child('detachError'), errors)
}

const longestMessage = 1024

function checkVolumeError(error: VolumeError | undefined, path: FieldPath, errors: FieldError[]): void {
  const { message = '', errorCode = 0 } = error ?? {}
  if (Buffer.byteLength(message) > longestMessage) errors.push(field.tooLong(path.child('message'), longestMessage))
  if (errorCode < 0)
    errors.push(field.invalid(path.child('errorCode'), errorCode, 'must be between 0 and 2147483647, inclusive'))
}

/** The spec of an attachment is immutable. */
function changeErrors(spec: VolumeAttachmentSpec, old: VolumeAttachmentSpec): readonly FieldError[] {
  return isSame(spec, old) ? field.none : [field.invalid(specPath, shown(spec), immutable)]
}

/** A spec in the form of upstream's messages. */
function shown({ attacher, source, nodeName }: VolumeAttachmentSpec): object {
  return {
    Attacher: attacher,
    Source: {
      PersistentVolumeName: source.persistentVolumeName ?? null,
      InlineVolumeSpec: source.inlineVolumeSpec ?? null,
    },
    NodeName: nodeName,
  }
}
