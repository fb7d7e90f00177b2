import { rules } from '../../../../schema/rules.js'
import { strategy } from '../../../../schema/strategy.js'
import { MutatingWebhookConfiguration } from '../mutating-webhook-configuration.js'
import { validateWebhooks } from '../webhook/validation.js'

export const mutatingWebhookConfigurationRules = rules<MutatingWebhookConfiguration>(MutatingWebhookConfiguration, {
  cells: { Webhooks: ({ webhooks }) => webhooks?.length ?? 0 },
})

export const mutatingWebhookConfigurationStrategy = strategy<MutatingWebhookConfiguration>(
  MutatingWebhookConfiguration,
  {
    plainFinalizers: true,
    intent: ({ webhooks }) => [webhooks],
    updatedUnconditionally: false,
    validate: ({ webhooks }) => validateWebhooks(webhooks),
    validateUpdate: ({ webhooks }, old) => validateWebhooks(webhooks, old.webhooks ?? []),
  },
)
