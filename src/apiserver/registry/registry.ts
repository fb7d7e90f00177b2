import { forbidden } from '../../api/errors.js'
import type { TokenAuthenticator } from '../authentication/authenticator.js'
import type { SignClaims } from '../authentication/service-accounts/keys.js'
import type { VerbHandlers } from '../request/routing.js'
import { deleteNamed } from '../verbs/delete.js'
import { selfSubjectReviewHandlers, tokenReviewHandlers } from './authentication-reviews.js'
import { type Component, componentStatusHandlers } from './component-statuses.js'
import type { NodeForwarder } from './nodes/kubelet-forwarder.js'
import { bindingHandlers, legacyBindingHandlers } from './pods/binding.js'
import { containerConnection, portConnection } from './pods/connections.js'
import { evictionHandlers } from './pods/eviction.js'
import { logHandlers } from './pods/log.js'
import { nodeProxy, podProxy, serviceProxy } from './proxy/handlers.js'
import type { ResourceHooks } from './resource-hooks.js'
import type { ResourceMap } from './resource-map.js'
import { scaleHandlers } from './scale.js'
import type { ServedResource } from './served-resource.js'
import { tokenHandlers } from './service-accounts/token-request.js'
import { type ServiceAllocationDependencies, serviceHooks } from './services/service-hooks.js'

export interface RegistryHandlerDependencies {
  readonly resources: ResourceMap
  /** The issuer of tokens, and their default audiences. */
  readonly issuer: string
  readonly audiences: readonly string[]
  readonly sign: SignClaims
  readonly maxSeconds?: number
  readonly isStrict?: boolean
  /** The token authenticators, for token reviews. */
  readonly tokens: readonly TokenAuthenticator[]
  readonly components: readonly Component[]
  /** Forwards requests to kubelets. */
  readonly forwardToNode: NodeForwarder
}

/** The handlers of resources and subresources that do not use the generic verbs. */
export function registryHandlers(dependencies: RegistryHandlerDependencies): Readonly<Record<string, VerbHandlers>> {
  const { resources, components, forwardToNode } = dependencies
  return {
    '*/scale': scaleHandlers,
    'pods/binding': bindingHandlers,
    bindings: legacyBindingHandlers(() => served(resources, '', 'pods')),
    'pods/eviction': evictionHandlers(() => served(resources, 'policy', 'poddisruptionbudgets')),
    'pods/log': logHandlers(forwardToNode),
    'pods/exec': containerConnection('exec', forwardToNode),
    'pods/attach': containerConnection('attach', forwardToNode),
    'pods/portforward': portConnection(forwardToNode),
    'pods/proxy': podProxy,
    'services/proxy': serviceProxy(() => served(resources, 'discovery.k8s.io', 'endpointslices')),
    'nodes/proxy': nodeProxy(forwardToNode),
    'serviceaccounts/token': tokenHandlers({ ...dependencies, resources: () => resources }),
    tokenreviews: tokenReviewHandlers(dependencies),
    selfsubjectreviews: selfSubjectReviewHandlers,
    componentstatuses: componentStatusHandlers(components),
    priorityclasses: priorityClassHandlers,
  }
}

function served(resources: ResourceMap, group: string, resource: string): ServedResource {
  return resources.find(group, 'v1', resource)!
}

export interface RegistryHookDependencies extends ServiceAllocationDependencies {
  /** Seconds after which events are deleted. */
  readonly eventSeconds: number
}

/** The hooks of resources whose writes differ, by their plural in the storage version. */
export function registryHooks(dependencies: RegistryHookDependencies): Readonly<Record<string, ResourceHooks>> {
  return { services: serviceHooks(dependencies), events: { ttlSeconds: dependencies.eventSeconds } }
}

const systemClasses: ReadonlySet<string> = new Set(['system-node-critical', 'system-cluster-critical'])

/** `priorityclasses`: rejects the deletion of system classes, which essential pods use. */
export const priorityClassHandlers: VerbHandlers = {
  delete(scope) {
    if (systemClasses.has(scope.name))
      throw forbidden(scope.resource.groupResource, scope.name, 'this is a system priority class and cannot be deleted')
    return deleteNamed(scope)
  },
}
