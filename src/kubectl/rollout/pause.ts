import { objectIn } from '../../schema/json-value.js'
import { command } from '../command.js'
import { type ResourceObject, resourceName } from '../resources/resource-object.js'
import { changeRollouts, rolloutFlags } from './workload-change.js'

export const rolloutPause = command({
  usage: 'RESOURCE [options]',
  about: 'Pause a deployment. Changes take effect when it is resumed.',
  examples: ['kubectl rollout pause deployment/web'],
  flags: rolloutFlags,
  run: (call) => changeRollouts(call, 'paused', (info) => withPaused(info, true)),
})

export const rolloutResume = command({
  usage: 'RESOURCE [options]',
  about: 'Resume a paused deployment.',
  examples: ['kubectl rollout resume deployment/web'],
  flags: rolloutFlags,
  run: (call) => changeRollouts(call, 'resumed', (info) => withPaused(info, false)),
})

function withPaused({ object, resource, name }: ResourceObject, isPaused: boolean) {
  const doing = isPaused ? 'pausing' : 'resuming'
  const spec = objectIn(object, 'spec') ?? {}
  if (resourceName(resource) !== 'deployments.apps')
    throw new Error(`${resourceName(resource)} "${name}" ${doing} is not supported`)
  if ((spec.paused === true) === isPaused)
    throw new Error(`${resourceName(resource)} "${name}" is ${isPaused ? 'already' : 'not'} paused`)
  const { paused: _, ...rest } = spec
  return { ...object, spec: isPaused ? { ...spec, paused: true } : rest }
}
