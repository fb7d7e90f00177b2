import { defaultPlugins } from './configuration/default-plugins.js'
import { profileOf } from './configuration/profile-plugins.js'
import type { PluginParts } from './plugin.js'
import type { Profile } from './profile.js'

/** What pods get that ask for nothing else. */
export function defaultProfile(parts: PluginParts): Profile {
  return profileOf(
    { gates: defaultPlugins, filters: defaultPlugins, scores: defaultPlugins, rescues: defaultPlugins },
    parts,
  )
}
