import { isAbsolute } from 'node:path'
import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { string } from '../../../schema/fields.js'
import type { Instance } from '../../../schema/infer.js'
import { kind } from '../../../schema/schema.js'
import type { PluginConfigurationKind } from '../definition.js'

const group = 'apiserver.config.k8s.io/v1'

/** The credentials for calls of webhooks. */
const WebhookAdmissionConfiguration = kind(`${group}.WebhookAdmissionConfiguration`, {
  required: { kubeConfigFile: string(1) },
})
export interface WebhookAdmissionConfiguration extends Instance<typeof WebhookAdmissionConfiguration> {}

function* validate({ kubeConfigFile = '' }: WebhookAdmissionConfiguration): Iterable<field.FieldError> {
  if (!isAbsolute(kubeConfigFile))
    yield field.invalid(fieldPath('kubeConfigFile'), kubeConfigFile, 'must be an absolute file path')
}

export const webhookAdmissionConfiguration: PluginConfigurationKind<WebhookAdmissionConfiguration> = {
  kindNames: [`${group}/WebhookAdmissionConfiguration`, 'apiserver.config.k8s.io/v1alpha1/WebhookAdmission'],
  declarations: [WebhookAdmissionConfiguration],
  validate,
}
