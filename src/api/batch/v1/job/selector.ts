/** The selector and labels of the pods of a job. The server generates them, unless the job has a manual selector. */
import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import type { Draft } from '../../../../schema/infer.js'
import { compareText } from '../../../../schema/text-order.js'
import { parsedSelector } from '../../../apps/v1/workload-template-validation.js'
import type { Job } from '../job.js'

const prefix = 'batch.kubernetes.io/'
const uidLabel = `${prefix}controller-uid`
const nameLabel = `${prefix}job-name`

/** The generated labels of pods, with old and new keys, in the order of validation. */
function generatedLabels({ uid = '', name = '' }: Job['metadata']): readonly (readonly [key: string, value: string])[] {
  return [
    ['controller-uid', uid],
    ['job-name', name],
    [uidLabel, uid],
    [nameLabel, name],
  ]
}

/** Adds the selector and labels. Keeps values of the client, which validation may reject. */
export function generateSelector(draft: Draft<Job>): void {
  const { metadata, spec } = draft
  const generated = Object.fromEntries(generatedLabels(metadata as Job['metadata']))
  const labels = sorted({ ...generated, ...spec.template.metadata?.labels })
  const matchLabels = sorted({ [uidLabel]: metadata.uid ?? '', ...spec.selector?.matchLabels })
  spec.template = { ...spec.template, metadata: { ...spec.template.metadata, labels } }
  spec.selector = { ...spec.selector, matchLabels }
}

/** Sorts labels, as in decoded objects and in messages. */
function sorted(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).sort(([left], [right]) => compareText(left, right)))
}

export function hasPrefixedLabels({ spec }: Job): boolean {
  const labels = spec.template.metadata?.labels ?? {}
  return Object.hasOwn(labels, uidLabel) && Object.hasOwn(labels, nameLabel)
}

const templatePath = fieldPath('spec', 'template', 'metadata', 'labels')

/** Validates the generated labels. Old jobs only have the old keys; `prefixed` requires the prefixed ones as well. */
export function validateGeneratedSelector(job: Job, prefixed: boolean): readonly field.FieldError[] {
  const { metadata, spec } = job
  if (spec.manualSelector || !spec.selector) return field.none
  const expected = generatedLabels(metadata).filter(([key]) => prefixed || !key.startsWith(prefix))
  const labels = spec.template.metadata?.labels ?? {}
  const selector = parsedSelector(spec.selector)
  const isGenerated = !selector || selector.matches(Object.fromEntries(expected))
  return [
    ...(metadata.uid ? [] : [field.required(fieldPath('metadata', 'uid'))]),
    ...expected.flatMap(([key, value]) => validateLabel(labels, key, value)),
    ...(isGenerated
      ? []
      : [field.invalid(fieldPath('spec', 'selector'), spec.selector, '`selector` not auto-generated')]),
  ]
}

function validateLabel(
  labels: Readonly<Record<string, string>>,
  key: string,
  value: string,
): readonly field.FieldError[] {
  const why = `must be '${value}'`
  if (!Object.hasOwn(labels, key)) return [field.required(templatePath.key(key), why)]
  return labels[key] === value ? field.none : [field.invalid(templatePath.key(key), labels, why)]
}
