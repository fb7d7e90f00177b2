import { rules } from '../../../../schema/rules.js'
import { strategy } from '../../../../schema/strategy.js'
import { ValidatingWebhookConfiguration } from '../validating-webhook-configuration.js'
import { validateWebhooks } from '../webhook/validation.js'

export const validatingWebhookConfigurationRules = rules<ValidatingWebhookConfiguration>(
  ValidatingWebhookConfiguration,
  {
    cells: { Webhooks: ({ webhooks }) => webhooks?.length ?? 0 },
  },
)

export const validatingWebhookConfigurationStrategy = strategy<ValidatingWebhookConfiguration>(
  ValidatingWebhookConfiguration,
  {
    plainFinalizers: true,
    intent: ({ webhooks }) => [webhooks],
    updatedUnconditionally: false,
    validate: ({ webhooks }) => validateWebhooks(webhooks),
    validateUpdate: ({ webhooks }, old) => validateWebhooks(webhooks, old.webhooks ?? []),
  },
)
