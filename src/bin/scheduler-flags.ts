import { optionalText } from '../base/flags/flag-types.js'
import type { FlagValues } from '../base/flags/flags.js'
import { componentFlags } from './component.js'

export const component = 'kube-scheduler'

/** Upstream's names; `--help` shows them in this order. */
export const schedulerFlags = {
  config: optionalText('The file with a KubeSchedulerConfiguration. It overrides all other flags.', {
    placeholder: 'FILE',
  }),
  'policy-config-file': optionalText(
    'The file with a Policy of predicates and priorities, the older form of the configuration.',
    { placeholder: 'FILE' },
  ),
  ...componentFlags(component, 10_259),
}

export type SchedulerFlags = FlagValues<typeof schedulerFlags>
