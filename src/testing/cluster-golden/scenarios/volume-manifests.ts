import type { JsonObject } from '../../../schema/declaration.js'
import type { Manifest } from '../scenario.js'

export interface ClaimOptions {
  readonly storageClassName: string
  readonly storage?: string
  readonly accessMode?: string
}

export function claim(name: string, options: ClaimOptions): Manifest {
  const { storageClassName, storage = '1Gi', accessMode = 'ReadWriteOnce' } = options
  const spec = { accessModes: [accessMode], storageClassName, resources: { requests: { storage } } }
  return { kind: 'PersistentVolumeClaim', metadata: { name }, spec }
}

export function volume(name: string, storage: string, storageClassName: string, source: JsonObject): Manifest {
  const spec = { capacity: { storage }, accessModes: ['ReadWriteOnce'], storageClassName, ...source }
  return { kind: 'PersistentVolume', metadata: { name }, spec }
}
