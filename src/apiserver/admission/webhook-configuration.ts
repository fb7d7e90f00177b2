import { isAbsolute } from 'node:path'
import * as field from '../../schema/field-errors.js'
import { string } from '../../schema/fields.js'
import type { Instance } from '../../schema/infer.js'
import { rules } from '../../schema/rules.js'
import { kind } from '../../schema/schema.js'

const group = 'apiserver.config.k8s.io/v1'

export const kindNames = [
  `${group}/WebhookAdmissionConfiguration`,
  'apiserver.config.k8s.io/v1alpha1/WebhookAdmission',
] as const

/** By which credentials webhooks are called. */
const WebhookAdmissionConfiguration = kind(`${group}.WebhookAdmissionConfiguration`, {
  required: { kubeConfigFile: string(1) },
})
export interface WebhookAdmissionConfiguration extends Instance<typeof WebhookAdmissionConfiguration> {}

const configurationRules = rules<WebhookAdmissionConfiguration>(WebhookAdmissionConfiguration, {
  *validate({ kubeConfigFile = '' }, { path }) {
    if (!isAbsolute(kubeConfigFile))
      yield field.invalid(path.child('kubeConfigFile'), kubeConfigFile, 'must be an absolute file path')
  },
})

export const declarations = [WebhookAdmissionConfiguration, configurationRules]
