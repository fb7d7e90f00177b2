import type { Namespace } from '../../../api/core/v1/namespace.js'
import type { Service } from '../../../api/core/v1/service.js'
import { builtin } from '../../../api/scheme.js'
import type { Environment } from '../../../base/environment.js'
import type { ResourceMap } from '../../registry/resource-map.js'
import type { AdmissionPlugin } from '../admission.js'
import type { ObjectLookups } from '../lookup.js'
import { webhookCredentials } from './credentials.js'
import { Matcher } from './match.js'
import { type DispatchDependencies, MutatingWebhooks } from './mutating.js'
import { clusterAddresses, type ServiceResolver } from './service-address.js'
import { ValidatingWebhooks } from './validating.js'
import { WebhookCaller } from './webhook-caller.js'
import { WebhookClients } from './webhook-clients.js'
import type { WebhookType } from './webhook-metrics.js'
import { WebhookSource } from './webhook-source.js'

export interface WebhookPluginOptions {
  readonly environment: Environment
  readonly resources: ResourceMap
  readonly lookups: ObjectLookups
  /** In the form of a kubeconfig: as whom the server shows itself to which webhook. */
  readonly kubeConfigFile?: string | undefined
  /** Where services are; without it, at their cluster addresses. */
  readonly resolveService?: ServiceResolver | undefined
}

export function mutatingAdmissionWebhook(parts: WebhookPluginOptions): AdmissionPlugin {
  return new MutatingWebhooks(dispatchParts(parts, 'mutatingwebhookconfigurations', 'admit'))
}

export function validatingAdmissionWebhook(parts: WebhookPluginOptions): AdmissionPlugin {
  return new ValidatingWebhooks(dispatchParts(parts, 'validatingwebhookconfigurations', 'validating'))
}

function dispatchParts(parts: WebhookPluginOptions, configurations: string, type: WebhookType): DispatchDependencies {
  const { environment, resources, lookups, kubeConfigFile, resolveService } = parts
  const resolve = resolveService ?? clusterAddresses(lookups.of<Service>('', 'v1', 'services'))
  const clients = new WebhookClients({ resolve, credentials: webhookCredentials(kubeConfigFile) })
  return {
    source: new WebhookSource(resources.find('admissionregistration.k8s.io', 'v1', configurations)!),
    matcher: new Matcher(resources, lookups.of<Namespace>('', 'v1', 'namespaces')),
    caller: new WebhookCaller(environment, clients, type),
    scheme: builtin,
  }
}
