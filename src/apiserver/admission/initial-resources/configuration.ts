import { isAbsolute } from 'node:path'
import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { bool, int64, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import type { PluginConfigurationKind } from '../definition.js'

const group = 'initialresources.admission.k8s.io/v1alpha1'

const InitialResourcesConfiguration = kind(`${group}.Configuration`, {
  required: { datasourceinfo: ref<DataSourceInfo>(1, `${group}.DataSourceInfo`) },
  optional: {
    /** The percentile of the samples that is the estimate. */
    percentile: int64(2, { default: 90 }),
    /** Only samples of the same namespace count. */
    namespaceonly: bool(3),
  },
})
export interface InitialResourcesConfiguration extends Instance<typeof InitialResourcesConfiguration> {}

/** The source of the usage samples; see docs/decisions/012-usage-history.md. */
const DataSourceInfo = schema(`${group}.DataSourceInfo`, {
  required: { datasource: string(1), file: string(2) },
})
export interface DataSourceInfo extends Infer<typeof DataSourceInfo> {}

function* validate(configuration: InitialResourcesConfiguration): Iterable<field.FieldError> {
  const { datasourceinfo, percentile = 0 } = configuration
  if (datasourceinfo) yield* validateSource(datasourceinfo)
  if (percentile < 1 || percentile > 100)
    yield field.invalid(fieldPath('percentile'), percentile, 'must be between 1 and 100, inclusive')
  if (!datasourceinfo) yield field.required(fieldPath('datasourceinfo'))
}

function* validateSource({ datasource = '', file = '' }: DataSourceInfo): Iterable<field.FieldError> {
  const path = fieldPath('datasourceinfo')
  if (datasource !== 'file') yield field.notSupported(path.child('datasource'), datasource, ['file'])
  if (!isAbsolute(file)) yield field.invalid(path.child('file'), file, 'must be an absolute file path')
}

export const initialResourcesConfiguration: PluginConfigurationKind<InitialResourcesConfiguration> = {
  kindNames: [`${group}/Configuration`],
  declarations: [InitialResourcesConfiguration, DataSourceInfo],
  validate,
}
