import { admissionPlugins } from '../../apiserver/admission/registry.js'
import type { AdmissionOptions } from '../../apiserver/options.js'
import { integer, listFlag, optionalText } from '../../base/flags/flag-types.js'
import type { FlagValues } from '../../base/flags/flags.js'

const names = admissionPlugins.map(({ name }) => name).join(', ')
const defaultNames = admissionPlugins.flatMap(({ name, isDefault }) => (isDefault ? [name] : [])).join(', ')

/** Upstream's flags for admission plugins. */
export const admissionFlags = {
  'enable-admission-plugins': listFlag(
    `Admission plugins to enable, in addition to the default ones (${defaultNames}). All plugins: ${names}. Their order in this flag does not matter.`,
    { placeholder: 'NAME,…' },
  ),
  'disable-admission-plugins': listFlag('Admission plugins to disable, of those that are enabled by default.', {
    placeholder: 'NAME,…',
  }),
  'admission-control-config-file': optionalText('The file with the configuration of admission plugins.', {
    placeholder: 'FILE',
  }),
  'default-not-ready-toleration-seconds': seconds(
    'The toleration for a node that is not ready, in seconds, of pods that have none.',
  ),
  'default-unreachable-toleration-seconds': seconds(
    'The toleration for a node that is unreachable, in seconds, of pods that have none.',
  ),
}

function seconds(help: string) {
  return integer(help, { placeholder: 'SECONDS', initial: 300, least: Number.MIN_SAFE_INTEGER })
}

export type AdmissionFlags = FlagValues<typeof admissionFlags>

export function admissionOptions(flags: AdmissionFlags): AdmissionOptions {
  const configFile = flags['admission-control-config-file']
  return {
    enabled: flags['enable-admission-plugins'],
    disabled: flags['disable-admission-plugins'],
    ...(configFile !== undefined && { configFile }),
    notReadyTolerationSeconds: flags['default-not-ready-toleration-seconds'],
    unreachableTolerationSeconds: flags['default-unreachable-toleration-seconds'],
  }
}
