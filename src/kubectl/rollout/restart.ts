import type { Clock } from '../../base/clock.js'
import type { JsonObject } from '../../schema/declaration.js'
import { objectIn } from '../../schema/json-value.js'
import { command } from '../command.js'
import { metadataOf, type ResourceObject, resourceName, withMetadata } from '../resources/resource-object.js'
import { changeRollouts, rolloutFlags } from './workload-change.js'

const restartable = ['deployments.apps', 'daemonsets.apps', 'statefulsets.apps']

export const rolloutRestart = command({
  usage: 'RESOURCE [options]',
  about: 'Restart a deployment, daemon set or stateful set by a rollout.',
  examples: ['kubectl rollout restart deployment/web'],
  flags: rolloutFlags,
  run: (call) => changeRollouts(call, 'restarted', (info) => restarted(info, call.factory.environment.clock)),
})

function restarted({ object, resource, name }: ResourceObject, clock: Clock): JsonObject {
  if (!restartable.includes(resourceName(resource)))
    throw new Error(`${resourceName(resource)} "${name}" restarting is not supported`)
  const spec = objectIn(object, 'spec') ?? {}
  if (spec.paused === true)
    throw new Error(`${resourceName(resource)} "${name}" can't restart paused deployment (run rollout resume first)`)
  const template = objectIn(spec, 'template') ?? {}
  const time = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z')
  const annotations = { ...metadataOf(template).annotations, 'kubectl.kubernetes.io/restartedAt': time }
  return { ...object, spec: { ...spec, template: withMetadata(template, { annotations }) } }
}
