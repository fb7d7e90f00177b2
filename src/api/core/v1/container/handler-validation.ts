/** Validates the handler of a probe or hook, which has exactly one action. */
import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { httpHeaderName, portName, portNumber } from '../../../../schema/identifiers.js'
import type { IntOrString } from '../../../../schema/values/int-or-string.js'
import type { HTTPGetAction, LifecycleHandler, Probe } from './probe.js'

/** The actions of probes and hooks. A probe has no `sleep`, and a hook has no `grpc`. */
export type Handler = Pick<Probe, 'exec' | 'httpGet' | 'tcpSocket' | 'grpc'> & LifecycleHandler

type ActionRules = {
  readonly [Name in keyof Handler]-?: (
    action: NonNullable<Handler[Name]>,
    path: FieldPath,
    gracePeriod: number | undefined,
  ) => readonly FieldError[]
}

/** In the order of validation. */
const actionRules: ActionRules = {
  exec: ({ command = [] }, path) => (command.length === 0 ? [field.required(path.child('command'))] : field.none),
  httpGet: validateHttpGet,
  tcpSocket: ({ port }, path) => validatePort(port, path.child('port')),
  grpc: ({ port }, path) => validatePort(port, path.child('port')),
  sleep: ({ seconds }, path, gracePeriod) => validateSleep(seconds, path, gracePeriod),
}
const actions = Object.entries(actionRules) as readonly [keyof Handler, ActionRules['exec']][]

/** Validates the first action, and rejects every further one. */
export function validateHandler(
  handler: Handler,
  path: FieldPath,
  gracePeriod: number | undefined,
): readonly FieldError[] {
  let errors: readonly FieldError[] | undefined
  for (const [name, rule] of actions) {
    const action = handler[name]
    if (!action) continue
    const at = path.child(name)
    if (!errors) errors = rule(action, at, gracePeriod)
    else errors = [...errors, field.forbidden(at, 'may not specify more than 1 handler type')]
  }
  return errors ?? [field.required(path, 'must specify a handler type')]
}

const schemes = ['HTTP', 'HTTPS'] as const

function validateHttpGet(
  { path: target = '', port, scheme = 'HTTP', httpHeaders = [] }: HTTPGetAction,
  path: FieldPath,
): readonly FieldError[] {
  const errors: FieldError[] = []
  if (target === '') errors.push(field.required(path.child('path')))
  errors.push(...validatePort(port, path.child('port')))
  if (!schemes.includes(scheme)) errors.push(field.notSupported(path.child('scheme'), scheme, schemes))
  for (const { name } of httpHeaders)
    errors.push(...field.invalidForEach(path.child('httpHeaders'), name, httpHeaderName(name)))
  return errors
}

/** A number, or the name of a port of the container. */
export function validatePort(port: IntOrString, path: FieldPath): readonly FieldError[] {
  return field.invalidForEach(path, port, typeof port === 'number' ? portNumber(port) : portName(port))
}

/** A sleep must not exceed the grace period of the pod. */
function validateSleep(seconds: number, path: FieldPath, gracePeriod: number | undefined): readonly FieldError[] {
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return field.none
  const message = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`
  return [field.invalid(path, seconds, message)]
}
