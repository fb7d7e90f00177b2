import type { PluginParts } from '../framework/plugin.js'
import type { Profile } from '../framework/profile.js'
import { defaultPlugins } from './default-plugins.js'
import { profileOf } from './profile-plugins.js'

/** What pods get that ask for nothing else. */
export function defaultProfile(parts: PluginParts): Profile {
  return profileOf(
    { gates: defaultPlugins, filters: defaultPlugins, scores: defaultPlugins, rescues: defaultPlugins },
    parts,
  )
}
