import { join } from 'node:path'
import type { Environment } from '../../base/environment.js'
import type { CriImage } from '../../cri/interface/image.js'
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

/** Maximum secrets in the record of an image. Further ones are checked but not stored. */
const rememberedSecrets = 100

/**
 * Decides which pods may use a present image. An image that was pulled with a secret is for pods with that secret; one that was pulled
 * without, or that the kubelet did not pull, is for all.
 */
export class ImageAccess {
  readonly #environment: Environment
  readonly #intents: RecordFiles<PullIntent>
  readonly #pulled: RecordFiles<PulledRecord>
  /** Number of pulls in progress, by image. */
  readonly #pulling = new Map<string, number>()

  constructor(rootFolder: string, environment: Environment) {
    const folder = join(rootFolder, 'image_manager')
    this.#environment = environment
    this.#intents = new RecordFiles(join(folder, 'pulling'), 'ImagePullIntent', environment.log)
    this.#pulled = new RecordFiles(join(folder, 'pulled'), 'ImagePulledRecord', environment.log)
  }

  /** Whether an earlier kubelet was stopped during a pull. */
  get hasLeftOvers(): boolean {
    return this.#intents.list().length > 0
  }

  /** Handles interrupted pulls: their images are for no pod until a pod can pull them. */
  settle(images: readonly CriImage[]): void {
    for (const { image } of this.#intents.list()) {
      const found = images.find(({ repoTags, repoDigests }) => [...repoTags, ...repoDigests].some(isNameOf(image)))
      if (found && !this.#pulled.get(found.id)) this.#write(found.id, {})
      if (!this.#pulling.has(image)) this.#intents.delete(image)
    }
  }

  /** Records the pull before it begins. An unrecorded image would be for all pods. */
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

  /** Removes the records of images that no longer exist. */
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

/** Compares full names, because runtimes report them and pods often shorten them. */
function isNameOf(image: string): (name: string) => boolean {
  const { image: tagged, repository } = imageName(image)
  const suffix = tagged.slice(tagged.lastIndexOf('@') + 1 || tagged.lastIndexOf(':') + 1)
  const full = tagged.includes('@') ? `${repository}@${suffix}` : `${repository}:${suffix}`
  return (name) => name === full || name === image
}
