import type { ConfigMap } from '../../api/core/v1/config-map.js'
import type { Secret } from '../../api/core/v1/secret.js'
import type { KeyToPath } from '../../api/core/v1/volume/projection.js'
import { hasReason } from '../../api/errors.js'
import type { Payload, VolumeFile } from './payload.js'

/** Which keys of an object become files, and their paths. */
export interface Projection {
  readonly items?: readonly KeyToPath[] | undefined
  readonly optional?: boolean | undefined
  readonly defaultMode: number
}

type Contents = ReadonlyMap<string, Pick<VolumeFile, 'text' | 'encoding'>>

export async function configMapFiles(request: Promise<ConfigMap>, projection: Projection): Promise<Payload> {
  const object = await unlessOptional(request, projection)
  const contents: Contents = new Map([...encoded(object?.data, 'utf8'), ...encoded(object?.binaryData, 'base64')])
  return selectFiles(contents, projection, 'configmap references non-existent config key')
}

export async function secretFiles(request: Promise<Secret>, projection: Projection): Promise<Payload> {
  const object = await unlessOptional(request, projection)
  return selectFiles(new Map(encoded(object?.data, 'base64')), projection, 'references non-existent secret key')
}

/** A missing optional object has no keys. */
async function unlessOptional<T>(request: Promise<T>, { optional }: Projection): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (optional && hasReason(error, 'NotFound')) return undefined
    throw error
  }
}

function encoded(
  data: Readonly<Record<string, string>> | undefined,
  encoding: VolumeFile['encoding'],
): (readonly [string, Pick<VolumeFile, 'text' | 'encoding'>])[] {
  return Object.entries(data ?? {}).map(([key, text]) => [key, { text, encoding }] as const)
}

function selectFiles(contents: Contents, { items = [], optional, defaultMode }: Projection, message: string): Payload {
  if (items.length === 0)
    return new Map([...contents].map(([key, content]) => [key, { ...content, mode: defaultMode }]))
  const files = new Map<string, VolumeFile>()
  for (const { key, path, mode } of items) {
    const content = contents.get(key)
    if (content) files.set(path, { ...content, mode: mode ?? defaultMode })
    else if (!optional) throw new Error(`${message}: ${key}`)
  }
  return files
}
