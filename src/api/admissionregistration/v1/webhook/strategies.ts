import { declareTable, type TableCells } from '../../../../schema/schema.js'
import { declareStrategy, type RegistryStrategy } from '../../../../schema/strategy.js'
import { MutatingWebhookConfiguration } from '../mutating-webhook-configuration.js'
import { ValidatingWebhookConfiguration } from '../validating-webhook-configuration.js'
import { validateWebhooks } from './validation.js'

type WebhookConfiguration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration

const cells: TableCells<WebhookConfiguration> = { Webhooks: ({ webhooks }) => webhooks?.length ?? 0 }

const strategy: RegistryStrategy<WebhookConfiguration> = {
  plainFinalizers: true,
  intent: ({ webhooks }) => [webhooks],
  updatedUnconditionally: false,
  validate: ({ webhooks }) => validateWebhooks(webhooks),
  validateUpdate: ({ webhooks }, old) => validateWebhooks(webhooks, old.webhooks ?? []),
}

export const mutatingWebhookConfigurationTable = declareTable<WebhookConfiguration>(MutatingWebhookConfiguration, cells)
export const mutatingWebhookConfigurationStrategy = declareStrategy<WebhookConfiguration>(
  MutatingWebhookConfiguration,
  strategy,
)

export const validatingWebhookConfigurationTable = declareTable<WebhookConfiguration>(
  ValidatingWebhookConfiguration,
  cells,
)
export const validatingWebhookConfigurationStrategy = declareStrategy<WebhookConfiguration>(
  ValidatingWebhookConfiguration,
  strategy,
)
