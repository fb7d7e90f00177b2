import type { Draft } from '../../../schema/infer.js'
import { declareDefaults, declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { keepMetadata } from '../../metadata/status-metadata.js'
import {
  CustomResourceDefinition,
  type CustomResourceDefinitionSpec,
  type CustomResourceDefinitionStatus,
} from './custom-resource-definition.js'

export const customResourceDefinitionDefaults = declareDefaults<CustomResourceDefinition>(
  CustomResourceDefinition,
  ({ spec }) => {
    const { names } = spec
    if (names.kind) {
      names.singular ||= names.kind.toLowerCase()
      names.listKind ||= `${names.kind}List`
    }
    spec.conversion ??= { strategy: 'None' }
  },
)

export const customResourceDefinitionTable = declareTable<CustomResourceDefinition>(CustomResourceDefinition, {
  'Created At': ({ metadata }) => metadata.creationTimestamp ?? '',
})

/** The life cycle of a definition. The API server's `extensions/` validates its schemas. */
export const customResourceDefinitionStrategy = declareStrategy<CustomResourceDefinition>(CustomResourceDefinition, {
  plainFinalizers: true,
  intent: ({ spec }) => [spec],
  updatedUnconditionally: false,
  prepareCreate(draft) {
    draft.status = withStorageVersion(draft.spec, { conditions: null, acceptedNames: { plural: '', kind: '' } })
  },
  prepareUpdate(draft, old) {
    draft.status = withStorageVersion(draft.spec, old.status)
  },
  subresources: {
    status: {
      prepareUpdate(draft, old) {
        draft.spec = old.spec as Draft<CustomResourceDefinitionSpec>
        keepMetadata(draft, old)
      },
    },
  },
})

/** Adds the storage version to the stored versions, from which only a write of the status removes versions. */
function withStorageVersion(spec: CustomResourceDefinitionSpec, status: object): Draft<CustomResourceDefinitionStatus> {
  const before = (status as CustomResourceDefinitionStatus).storedVersions ?? []
  const stored = (spec.versions ?? []).find(({ storage }) => storage)?.name
  const storedVersions = stored === undefined || before.includes(stored) ? before : [...before, stored]
  return { ...status, storedVersions } as Draft<CustomResourceDefinitionStatus>
}
