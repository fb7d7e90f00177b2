import type { ImageConfig } from '../image.js'
import { ArchiveError } from './archive-error.js'

/** The JSON documents of an image, with the members that are used here. The input is untrusted, so every member is checked. */

export interface Platform {
  readonly architecture: string
  readonly os: string
}

export interface Descriptor {
  readonly mediaType: string
  /** `sha256:…` */
  readonly digest: string
  readonly platform: Platform | undefined
  readonly annotations: Readonly<Record<string, string>>
}

/** An index lists one manifest per platform or image; a manifest lists configuration and layers. */
export type ManifestDocument =
  | { readonly kind: 'index'; readonly manifests: readonly Descriptor[] }
  | { readonly kind: 'manifest'; readonly config: Descriptor; readonly layers: readonly Descriptor[] }

export interface ConfigDocument {
  readonly platform: Platform
  /** Container settings. Unknown members are preserved. */
  readonly config: ImageConfig
  readonly diffIds: readonly string[]
}

/** An entry of `manifest.json`, as `docker save` writes it. */
export interface DockerManifest {
  readonly config: string
  readonly layers: readonly string[]
  readonly tags: readonly string[]
}

type Members = Readonly<Record<string, unknown>>

const digestPattern = /^sha256:[0-9a-f]{64}$/
/** Linux's limit for one overlay mount. */
const maxLayers = 500

export function manifestDocument(value: unknown, name: string): ManifestDocument {
  const document = members(value, name)
  if (document.manifests !== undefined)
    return { kind: 'index', manifests: list(document.manifests, name).map((each) => descriptor(each, name)) }
  const layers = list(document.layers, name).map((each) => descriptor(each, name))
  return { kind: 'manifest', config: descriptor(document.config, name), layers: checkLayerCount(layers) }
}

export function configDocument(value: unknown, name: string): ConfigDocument {
  const document = members(value, name)
  const diffIds = list(members(document.rootfs, name).diff_ids, name).map((each) => digest(each, name))
  const config = document.config === undefined || document.config === null ? {} : checkedSettings(document.config, name)
  const { architecture, os } = document
  return { platform: { architecture: text(architecture, name), os: text(os, name) }, config, diffIds }
}

const listSettings = ['Entrypoint', 'Cmd', 'Env', 'Shell', 'OnBuild']
const textSettings = ['WorkingDir', 'User', 'StopSignal']
const mapSettings = ['ExposedPorts', 'Volumes', 'Labels']

/** Docker writes `null` for an unset setting. */
function checkedSettings(value: unknown, name: string): ImageConfig {
  const made = Object.entries(members(value, name)).filter(([, each]) => each !== null)
  for (const [key, each] of made)
    if (listSettings.includes(key)) for (const item of list(each, name)) text(item, name)
    else if (textSettings.includes(key)) text(each, name)
    else if (mapSettings.includes(key)) members(each, name)
  return Object.fromEntries(made)
}

export function dockerManifests(value: unknown, name: string): DockerManifest[] {
  return list(value, name).map((each) => {
    const { Config, Layers, RepoTags } = members(each, name)
    return {
      config: text(Config, name),
      layers: checkLayerCount(list(Layers, name).map((layer) => text(layer, name))),
      tags: RepoTags === null || RepoTags === undefined ? [] : list(RepoTags, name).map((tag) => text(tag, name)),
    }
  })
}

function descriptor(value: unknown, name: string): Descriptor {
  const { mediaType, digest: given, platform, annotations } = members(value, name)
  return {
    mediaType: mediaType === undefined ? '' : text(mediaType, name),
    digest: digest(given, name),
    platform: platform === undefined || platform === null ? undefined : platformOf(members(platform, name), name),
    annotations: annotations === undefined || annotations === null ? {} : texts(members(annotations, name), name),
  }
}

function platformOf({ architecture, os }: Members, name: string): Platform {
  return { architecture: text(architecture, name), os: text(os, name) }
}

function checkLayerCount<T>(layers: readonly T[]): readonly T[] {
  if (layers.length > maxLayers) throw new ArchiveError(`an image in the archive has more than ${maxLayers} layers`)
  return layers
}

function digest(value: unknown, name: string): string {
  const given = text(value, name)
  if (!digestPattern.test(given)) throw new ArchiveError(`${name} in the archive has an invalid digest: ${given}`)
  return given
}

function members(value: unknown, name: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(name)
  return value as Members
}

function list(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(name)
  return value
}

function text(value: unknown, name: string): string {
  if (typeof value !== 'string') throw malformed(name)
  return value
}

function texts(value: Members, name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, text(each, name)]))
}

function malformed(name: string): ArchiveError {
  return new ArchiveError(`${name} in the archive does not describe an image`)
}
