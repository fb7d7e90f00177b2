import type { Namespace } from '../../../api/core/v1/namespace.js'
import type { Service } from '../../../api/core/v1/service.js'
import type { KubeObject } from '../../../api/kube-object.js'
import { builtin } from '../../../api/scheme.js'
import { type AdmissionPluginDependencies, defineAdmissionPlugin } from '../definition.js'
import { type WebhookAdmissionConfiguration, webhookAdmissionConfiguration } from './configuration.js'
import { webhookCredentials } from './credentials.js'
import { WebhookMatcher } from './match.js'
import { type DispatchDependencies, MutatingWebhooks } from './mutating.js'
import { clusterAddresses } from './service-address.js'
import { ValidatingWebhooks } from './validating.js'
import { WebhookCaller } from './webhook-caller.js'
import { WebhookClients } from './webhook-clients.js'
import type { WebhookType } from './webhook-metrics.js'
import { WebhookSource } from './webhook-source.js'

/** Calls the webhooks of every `MutatingWebhookConfiguration`. */
export const mutatingAdmissionWebhook = defineAdmissionPlugin<KubeObject, WebhookAdmissionConfiguration>({
  name: 'MutatingAdmissionWebhook',
  position: 390,
  isDefault: true,
  configuration: webhookAdmissionConfiguration,
  create: (dependencies, configuration) =>
    new MutatingWebhooks(
      dispatchDependencies(dependencies, configuration, { resource: 'mutatingwebhookconfigurations', type: 'admit' }),
    ),
})

/** Calls the webhooks of every `ValidatingWebhookConfiguration`. */
export const validatingAdmissionWebhook = defineAdmissionPlugin<KubeObject, WebhookAdmissionConfiguration>({
  name: 'ValidatingAdmissionWebhook',
  position: 410,
  isDefault: true,
  configuration: webhookAdmissionConfiguration,
  create: (dependencies, configuration) =>
    new ValidatingWebhooks(
      dispatchDependencies(dependencies, configuration, {
        resource: 'validatingwebhookconfigurations',
        type: 'validating',
      }),
    ),
})

interface WebhookConfigurations {
  /** The resource of the objects that register webhooks. */
  readonly resource: string
  readonly type: WebhookType
}

function dispatchDependencies(
  { environment, resources, lookups, resolveService }: AdmissionPluginDependencies,
  configuration: WebhookAdmissionConfiguration | undefined,
  { resource, type }: WebhookConfigurations,
): DispatchDependencies {
  const resolve = resolveService ?? clusterAddresses(lookups.of<Service>('', 'v1', 'services'))
  const clients = new WebhookClients({ resolve, credentials: webhookCredentials(configuration?.kubeConfigFile) })
  return {
    source: new WebhookSource(resources.find('admissionregistration.k8s.io', 'v1', resource)!),
    matcher: new WebhookMatcher(resources, lookups.of<Namespace>('', 'v1', 'namespaces')),
    caller: new WebhookCaller(environment, clients, type),
    scheme: builtin,
  }
}
