import { declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { MutatingWebhookConfiguration } from '../mutating-webhook-configuration.js'
import { validateWebhooks } from '../webhook/validation.js'

export const mutatingWebhookConfigurationTable = declareTable<MutatingWebhookConfiguration>(
  MutatingWebhookConfiguration,
  { Webhooks: ({ webhooks }) => webhooks?.length ?? 0 },
)

export const mutatingWebhookConfigurationStrategy = declareStrategy<MutatingWebhookConfiguration>(
  MutatingWebhookConfiguration,
  {
    plainFinalizers: true,
    intent: ({ webhooks }) => [webhooks],
    updatedUnconditionally: false,
    validate: ({ webhooks }) => validateWebhooks(webhooks),
    validateUpdate: ({ webhooks }, old) => validateWebhooks(webhooks, old.webhooks ?? []),
  },
)
