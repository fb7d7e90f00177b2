import { list, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import type { Condition } from '../../meta/v1/condition.js'
import type { GroupResource } from '../../meta/v1/discovery.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const StorageVersionMigration = kind('storagemigration/v1beta1.StorageVersionMigration', {
  optional: {
    metadata: objectMetadata,
    spec: ref<StorageVersionMigrationSpec>(2, 'storagemigration/v1beta1.StorageVersionMigrationSpec', { always: true }),
    status: ref<StorageVersionMigrationStatus>(3, 'storagemigration/v1beta1.StorageVersionMigrationStatus', {
      always: true,
    }),
  },
  listed: true,
})
export interface StorageVersionMigration extends Instance<typeof StorageVersionMigration> {}

export const StorageVersionMigrationSpec = schema('storagemigration/v1beta1.StorageVersionMigrationSpec', {
  required: {
    resource: ref<GroupResource>(1, 'meta/v1.GroupResource'),
  },
})
export interface StorageVersionMigrationSpec extends Infer<typeof StorageVersionMigrationSpec> {}

export const StorageVersionMigrationStatus = schema('storagemigration/v1beta1.StorageVersionMigrationStatus', {
  optional: {
    conditions: list(1, ref<Condition>('meta/v1.Condition'), { keys: ['type'], mergeKey: 'type' }),
    resourceVersion: string(2),
  },
})
export interface StorageVersionMigrationStatus extends Infer<typeof StorageVersionMigrationStatus> {}
