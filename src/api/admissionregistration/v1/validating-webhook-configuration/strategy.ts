import { declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { ValidatingWebhookConfiguration } from '../validating-webhook-configuration.js'
import { validateWebhooks } from '../webhook/validation.js'

export const validatingWebhookConfigurationTable = declareTable<ValidatingWebhookConfiguration>(
  ValidatingWebhookConfiguration,
  { Webhooks: ({ webhooks }) => webhooks?.length ?? 0 },
)

export const validatingWebhookConfigurationStrategy = declareStrategy<ValidatingWebhookConfiguration>(
  ValidatingWebhookConfiguration,
  {
    plainFinalizers: true,
    intent: ({ webhooks }) => [webhooks],
    updatedUnconditionally: false,
    validate: ({ webhooks }) => validateWebhooks(webhooks),
    validateUpdate: ({ webhooks }, old) => validateWebhooks(webhooks, old.webhooks ?? []),
  },
)
