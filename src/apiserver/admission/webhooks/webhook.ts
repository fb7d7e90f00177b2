import type { MutatingWebhook } from '../../../api/admissionregistration/v1/mutating-webhook-configuration.js'
import type { ValidatingWebhook } from '../../../api/admissionregistration/v1/validating-webhook-configuration.js'
import type { KubeObject } from '../../../api/kube-object.js'
import { LabelSelector } from '../../../api/selectors/label-selector.js'

/** One webhook of a configuration, prepared for matching. */
export interface Webhook {
  /** Identifies the webhook in both rounds, by its configuration and its name. */
  readonly id: string
  readonly configuration: string
  readonly settings: WebhookSettings
  /** Throw a `ValueError` if a selector is invalid. */
  readonly namespaceSelector: () => LabelSelector
  readonly objectSelector: () => LabelSelector
}

/** The fields of both types of webhooks. */
export type WebhookSettings = ValidatingWebhook & Pick<MutatingWebhook, 'reinvocationPolicy'>

interface Configuration extends KubeObject {
  readonly webhooks?: readonly WebhookSettings[]
}

/** Returns the webhooks of a configuration in their order. */
export function webhooksOf(configuration: KubeObject): readonly Webhook[] {
  const { metadata, webhooks = [] } = configuration as Configuration
  const seen = new Map<string, number>()
  return webhooks.map((settings) => {
    const count = seen.get(settings.name) ?? 0 // old configurations may repeat a name
    seen.set(settings.name, count + 1)
    return {
      id: `${metadata.name}/${settings.name}/${count}`,
      configuration: metadata.name ?? '',
      settings,
      namespaceSelector: once(() => LabelSelector.from(settings.namespaceSelector)),
      objectSelector: once(() => LabelSelector.from(settings.objectSelector)),
    }
  })
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
