import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import type { Draft } from '../../../../schema/infer.js'
import { labelKey } from '../../../../schema/label-names.js'
import { declareDefaults, declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { foregroundFinalizer, orphanFinalizer } from '../../../metadata/finalizers.js'
import { labelName } from '../../../metadata/name-validation.js'
import { Namespace } from '../namespace.js'

/** The label with the name, by which every namespace can be selected. */
const nameLabel = 'kubernetes.io/metadata.name'

/** Removed when all objects of the namespace are deleted. */
const ownFinalizer = 'kubernetes'

export const namespaceDefaults = declareDefaults<Namespace>(Namespace, labelWithName)

export const namespaceTable = declareTable<Namespace>(Namespace, { Status: ({ status }) => status.phase ?? '' })

function labelWithName({ metadata }: Draft<Namespace>): void {
  if (metadata.name) metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name }
}

const finalizersPath = fieldPath('spec', 'finalizers')

export const namespaceStrategy = declareStrategy<Namespace>(Namespace, {
  name: labelName,
  prepareCreate(draft) {
    labelWithName(draft)
    const finalizers = draft.spec.finalizers ?? []
    if (!finalizers.includes(ownFinalizer)) draft.spec.finalizers = [...finalizers, ownFinalizer]
    draft.status = { phase: 'Active' }
  },
  prepareUpdate(draft, old) {
    draft.spec = old.spec as typeof draft.spec
    draft.status = old.status as typeof draft.status
  },
  *validate({ spec }) {
    for (const finalizer of spec.finalizers ?? []) yield* validateFinalizer(finalizer, finalizersPath)
  },
  validateUpdate: () => [],
  deletion: {
    hold: {
      isHeld: ({ spec }) => (spec.finalizers?.length ?? 0) > 0,
      ending: (namespace) => ({ ...namespace, status: { ...namespace.status, phase: 'Terminating' } }),
    },
  },
  fields: { 'status.phase': ({ status }) => status.phase ?? '' },
  subresources: {
    status: { validateUpdate: validatePhase },
    finalize: {
      owned: [['metadata'], ['spec']],
      prepareUpdate(draft, old) {
        draft.status = old.status as typeof draft.status
      },
      *validateUpdate({ spec }) {
        for (const [i, finalizer] of (spec.finalizers ?? []).entries())
          yield* validateFinalizer(finalizer, finalizersPath.index(i))
      },
    },
  },
})

const standardFinalizers: ReadonlySet<string> = new Set([ownFinalizer, orphanFinalizer, foregroundFinalizer])

function* validateFinalizer(finalizer: string, path: FieldPath): Iterable<field.FieldError> {
  yield* field.invalidForEach(path, finalizer, labelKey(finalizer))
  if (!finalizer.includes('/') && !standardFinalizers.has(finalizer))
    yield field.invalid(path, finalizer, 'name is neither a standard finalizer name nor is it fully qualified')
}

/** The phase must agree with the deletion timestamp. */
function* validatePhase({ metadata, status }: Namespace): Iterable<field.FieldError> {
  const isEnding = metadata.deletionTimestamp !== undefined
  if (status.phase === (isEnding ? 'Terminating' : 'Active')) return
  const rule = isEnding
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty"
  yield field.invalid(fieldPath('status', 'Phase'), status.phase ?? '', rule)
}
