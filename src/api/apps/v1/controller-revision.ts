import { int64, rawExtension } from '../../../schema/fields.js'
import type { Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const ControllerRevision = kind('apps/v1.ControllerRevision', {
  required: {
    revision: int64(3),
  },
  optional: {
    metadata: objectMetadata,
    data: rawExtension(2, { always: true }),
  },
  resource: {
    plural: 'controllerrevisions',
    namespaced: true,
    columns: [nameColumn, column('Controller'), column('Revision'), ageColumn],
  },
})
export interface ControllerRevision extends Instance<typeof ControllerRevision> {}
