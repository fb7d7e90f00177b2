import type { SchedulerPluginDependencies } from '../framework/plugin.js'
import type { SchedulerProfile } from '../framework/profile.js'
import { defaultProfilePlugins } from './default-plugins.js'
import { profileOf } from './profile-plugins.js'

/** What pods get that ask for nothing else. */
export function defaultProfile(parts: SchedulerPluginDependencies): SchedulerProfile {
  return profileOf(
    {
      gates: defaultProfilePlugins,
      filters: defaultProfilePlugins,
      scores: defaultProfilePlugins,
      rescues: defaultProfilePlugins,
    },
    parts,
  )
}
