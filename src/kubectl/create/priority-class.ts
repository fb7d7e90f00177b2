import { boolean, signedInteger, text } from '../../base/flags/flag-types.js'
import { generator, noTimestamp } from './generator.js'

export const createPriorityClass = generator({
  usage: 'NAME --value=VALUE --global-default=BOOL [--dry-run=server|client|none] [options]',
  about: 'Create a priority class with the given name, value, globalDefault and description.',
  examples: ["kubectl create priorityclass high --value=1000 --description='first of all'"],
  flags: {
    description: text('Description of the priority class'),
    'global-default': boolean('Make this the default priority of pods'),
    'preemption-policy': text('Preemption policy: PreemptLowerPriority or Never', { initial: 'PreemptLowerPriority' }),
    value: signedInteger('The priority'),
  },
  failure: 'failed to create priorityclass: ',
  build: ({ flags }, name) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { ...noTimestamp, name },
    value: flags.value,
    ...(flags['global-default'] && { globalDefault: true }),
    ...(flags.description !== '' && { description: flags.description }),
    preemptionPolicy: flags['preemption-policy'],
  }),
})
