import { join } from 'node:path'
import type { Environment } from '../../base/environment.js'
import type { Image } from '../../cri/interface/image.js'
import { formatTime } from '../../schema/values/time.js'
import type { RegistryCredential } from './credential.js'
import { imageName } from './image-name.js'
import {
  grantsAccess,
  merged,
  type PullCredentials,
  type PulledRecord,
  type PullIntent,
  pullCredentials,
  pullSecretOf,
} from './pull-record.js'
import { RecordFiles } from './record-files.js'

/** So many secrets are remembered for an image; more are looked at, and not written down. */
const rememberedSecrets = 100

/**
 * Who may use an image that is here already. What the kubelet pulled with a secret is for those who have that secret; what it pulled
 * without, or what was on the node before, is for everybody.
 */
export class ImageAccess {
  readonly #environment: Environment
  readonly #intents: RecordFiles<PullIntent>
  readonly #pulled: RecordFiles<PulledRecord>
  /** How many pulls of an image are under way. */
  readonly #pulling = new Map<string, number>()

  constructor(rootFolder: string, environment: Environment) {
    const folder = join(rootFolder, 'image_manager')
    this.#environment = environment
    this.#intents = new RecordFiles(join(folder, 'pulling'), 'ImagePullIntent', environment.log)
    this.#pulled = new RecordFiles(join(folder, 'pulled'), 'ImagePulledRecord', environment.log)
  }

  /** Whether there are pulls that a kubelet began before it was ended. */
  get hasLeftOvers(): boolean {
    return this.#intents.list().length > 0
  }

  /** Pulls that nobody saw the end of: what they brought is for nobody until somebody can pull it. */
  settle(images: readonly Image[]): void {
    for (const { image } of this.#intents.list()) {
      const found = images.find(({ repoTags, repoDigests }) => [...repoTags, ...repoDigests].some(isNameOf(image)))
      if (found && !this.#pulled.get(found.id)) this.#write(found.id, {})
      if (!this.#pulling.has(image)) this.#intents.delete(image)
    }
  }

  /** Written before the pull: an image that comes and is not recorded would be everybody's. */
  begin(image: string): void {
    if (!this.#pulling.has(image)) this.#intents.set(image, { image })
    this.#pulling.set(image, (this.#pulling.get(image) ?? 0) + 1)
  }

  succeeded(image: string, ref: string, credential: RegistryCredential | undefined): void {
    this.#add(image, ref, pullCredentials(credential))
    this.#end(image)
  }

  failed(image: string): void {
    this.#end(image)
  }

  mayUse(image: string, ref: string, credentials: readonly RegistryCredential[]): boolean {
    const record = this.#pulled.get(ref)
    if (!record) return !this.#intents.get(image)
    const known = record.credentialMapping[imageName(image).repository]
    if (!known) return false
    if (known.nodePodsAccessible) return true
    const secret = credentials.map(pullSecretOf).find((each) => grantsAccess(known, each))
    if (!secret) return false
    if ((known.kubernetesSecrets?.length ?? 0) < rememberedSecrets)
      this.#add(image, ref, { kubernetesSecrets: [secret] })
    return true
  }

  /** Forgets images that are no longer there. */
  prune(refs: ReadonlySet<string>): void {
    for (const { imageRef } of this.#pulled.list()) if (!refs.has(imageRef)) this.#pulled.delete(imageRef)
  }

  #end(image: string): void {
    const left = (this.#pulling.get(image) ?? 1) - 1
    if (left > 0) this.#pulling.set(image, left)
    else {
      this.#pulling.delete(image)
      this.#intents.delete(image)
    }
  }

  #add(image: string, ref: string, more: PullCredentials): void {
    const mapping = this.#pulled.get(ref)?.credentialMapping ?? {}
    const { repository } = imageName(image)
    const before = mapping[repository]
    const after = before ? merged(before, more) : more
    if (after !== before) this.#write(ref, { ...mapping, [repository]: after })
  }

  #write(imageRef: string, credentialMapping: PulledRecord['credentialMapping']): void {
    const lastUpdatedTime = formatTime(this.#environment.clock.now())
    this.#pulled.set(imageRef, { lastUpdatedTime, imageRef, credentialMapping })
  }
}

/** Runtimes tell names in full, pods often do not. */
function isNameOf(image: string): (name: string) => boolean {
  const { image: tagged, repository } = imageName(image)
  const suffix = tagged.slice(tagged.lastIndexOf('@') + 1 || tagged.lastIndexOf(':') + 1)
  const full = tagged.includes('@') ? `${repository}@${suffix}` : `${repository}:${suffix}`
  return (name) => name === full || name === image
}
