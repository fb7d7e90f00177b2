import type { Pod } from '../../../api/core/v1/pod.js'
import { badRequest } from '../../../api/errors.js'
import type { VerbHandler, VerbHandlers } from '../../request/routing.js'
import type { ApiResponse } from '../../response/response.js'
import { find } from '../../verbs/get.js'
import type { VerbScope } from '../../verbs/verb-scope.js'
import { connectionOptions } from '../connection-options.js'
import type { NodeForwarder } from '../nodes/kubelet-forwarder.js'
import { admitConnection } from '../subresource.js'
import { containerNameFor } from './container-choice.js'

/** `pods/exec` and `pods/attach`: connects to a container. */
export function containerConnection(verb: 'exec' | 'attach', forward: NodeForwarder): VerbHandlers {
  return connectionHandlers(async (scope) => {
    await admitConnection(scope)
    const pod = (await find(scope)).object as Pod
    const container = containerNameFor(pod, scope.context.request.query.get('container') ?? '')
    const path = `/${verb}/${scope.namespace}/${scope.name}/${container}?${commandQuery(scope)}`
    return forward(scope, { nodeName: nodeOf(pod), path, as: 'connection' })
  })
}

/** `pods/portforward`: connects to ports of the pod through its node. */
export function portConnection(forward: NodeForwarder): VerbHandlers {
  return connectionHandlers(async (scope) => {
    await admitConnection(scope)
    const pod = (await find(scope)).object as Pod
    const { ports = [] } = connectionOptions(scope) as { readonly ports?: readonly number[] }
    const query = ports.length === 0 ? '' : `?port=${ports.join(',')}`
    const path = `/portForward/${scope.namespace}/${scope.name}${query}`
    return forward(scope, { nodeName: nodeOf(pod), path, as: 'connection' })
  })
}

/** Query parameters of the kubelet API, by option. */
const streamNames = { stdin: 'input', stdout: 'output', stderr: 'error', tty: 'tty' } as const

function commandQuery(scope: VerbScope): URLSearchParams {
  const options = connectionOptions(scope) as Readonly<Record<string, unknown>>
  const query = new URLSearchParams()
  for (const [name, parameter] of Object.entries(streamNames)) if (options[name] === true) query.set(parameter, '1')
  for (const word of (options.command ?? []) as readonly string[]) query.append('command', word)
  return query
}

/** A connection starts with a GET or a POST. */
function connectionHandlers(open: (scope: VerbScope) => Promise<ApiResponse>): VerbHandlers {
  const handler: VerbHandler = open
  return { get: handler, create: handler }
}

function nodeOf({ metadata, spec }: Pod): string {
  if (!spec.nodeName) throw badRequest(`pod ${metadata.name} does not have a host assigned`)
  return spec.nodeName
}
