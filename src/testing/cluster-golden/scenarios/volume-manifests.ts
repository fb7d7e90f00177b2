import type { JsonObject } from '../../../schema/declaration.js'
import type { ScenarioManifest } from '../scenario.js'

export interface ClaimManifestOptions {
  readonly storageClassName: string
  readonly storage?: string
  readonly accessMode?: string
}

export function claimManifest(name: string, options: ClaimManifestOptions): ScenarioManifest {
  const { storageClassName, storage = '1Gi', accessMode = 'ReadWriteOnce' } = options
  const spec = { accessModes: [accessMode], storageClassName, resources: { requests: { storage } } }
  return { kind: 'PersistentVolumeClaim', metadata: { name }, spec }
}

export function volumeManifest(
  name: string,
  storage: string,
  storageClassName: string,
  source: JsonObject,
): ScenarioManifest {
  const spec = { capacity: { storage }, accessModes: ['ReadWriteOnce'], storageClassName, ...source }
  return { kind: 'PersistentVolume', metadata: { name }, spec }
}
