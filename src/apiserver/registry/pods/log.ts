import type { Pod } from '../../../api/core/v1/pod.js'
import { badRequest, invalid } from '../../../api/errors.js'
import * as field from '../../../schema/field-errors.js'
import { FieldPath, fieldPath } from '../../../schema/field-path.js'
import { quote } from '../../../schema/quote.js'
import type { VerbHandlers } from '../../request/routing.js'
import { type ApiResponse, textResponse } from '../../response/response.js'
import { find } from '../../verbs/get.js'
import type { VerbScope } from '../../verbs/verb-scope.js'
import { connectionOptions } from '../connection-options.js'
import type { NodeForwarder } from '../nodes/kubelet-forwarder.js'
import { containerNameFor } from './container-choice.js'

/** `pods/log`: the output of a container. Empty for a pod without a node. */
export function logHandlers(forward: NodeForwarder): VerbHandlers {
  return { get: (scope) => log(scope, forward) }
}

async function log(scope: VerbScope, forward: NodeForwarder): Promise<ApiResponse> {
  const { query } = scope.context.request
  const errors = [...optionErrors(query)]
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, scope.name, errors)
  const pod = (await find(scope)).object as Pod
  const container = containerNameFor(pod, query.get('container') ?? '')
  const { nodeName } = pod.spec
  if (!nodeName) return textResponse(204, '', '')
  const path = `/containerLogs/${scope.namespace}/${scope.name}/${container}${queryText(scope)}`
  return forward(scope, { nodeName, path, as: 'log' })
}

/** The options for the kubelet: without the container, which is in the path, and without those of this server. */
function queryText(scope: VerbScope): string {
  const { kind: _kind, apiVersion: _version, metadata: _metadata, ...options } = connectionOptions(scope)
  const {
    container: _container,
    insecureSkipTLSVerifyBackend: _insecure,
    ...requested
  } = options as Record<string, string>
  const { pretty: _pretty, ...wanted } = requested
  const sinceTime = scope.context.request.query.get('sinceTime') // undocumented, as upstream
  const query = new URLSearchParams({ ...wanted, ...(sinceTime && { sinceTime }) }).toString()
  return query === '' ? '' : `?${query}`
}

const streams = ['All', 'Stderr', 'Stdout']

function* optionErrors(query: URLSearchParams): Iterable<field.FieldError> {
  const tailLines = integer(query, 'tailLines')
  const limitBytes = integer(query, 'limitBytes')
  const sinceSeconds = integer(query, 'sinceSeconds')
  const stream = query.get('stream') ?? ''
  if (tailLines !== undefined && tailLines < 0)
    yield field.invalid(fieldPath('tailLines'), tailLines, 'must be greater than or equal to 0')
  if (limitBytes !== undefined && limitBytes < 1)
    yield field.invalid(fieldPath('limitBytes'), limitBytes, 'must be greater than 0')
  if (sinceSeconds !== undefined && query.has('sinceTime'))
    yield field.forbidden(fieldPath('sinceSeconds'), 'at most one of `sinceTime` or `sinceSeconds` may be specified')
  else if (sinceSeconds !== undefined && sinceSeconds < 1)
    yield field.invalid(fieldPath('sinceSeconds'), sinceSeconds, 'must be greater than 0')
  if (stream !== '' && !streams.includes(stream)) yield field.notSupported(fieldPath('stream'), stream, streams)
  if (stream !== '' && stream !== 'All' && tailLines !== undefined)
    yield field.forbidden(FieldPath.none, '`tailLines` and specific `stream` are mutually exclusive for now')
}

function integer(query: URLSearchParams, name: string): number | undefined {
  const given = query.get(name)
  if (given === null || given === '') return undefined
  if (!/^[+-]?[0-9]+$/.test(given)) throw badRequest(`strconv.ParseInt: parsing ${quote(given)}: invalid syntax`)
  return Number(given)
}
