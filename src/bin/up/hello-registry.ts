import type { Environment } from '../../base/environment.js'
import type { Containerd } from '../../cri/containerd/containerd.js'
import { writeRegistryMirror } from '../../cri/containerd/registry-host.js'
import { helloImageName, helloImages } from '../../cri/images/hello-image.js'
import { serveImages } from '../../cri/images/image-registry.js'

export interface HelloRegistry {
  /** Pulls it in the background, unless it is there already. */
  fetch(): void
  close(): Promise<void>
}

/**
 * `proa/hello` for a containerd of our own, on a machine that reaches no registry: containerd is told to ask this process before it asks
 * Docker Hub. So a pull is a pull, whatever its policy, and all other images come from where they always do. Undefined where somebody has
 * decided already who is asked for images of Docker Hub.
 */
export async function serveHelloImage(
  containerd: Containerd,
  { log }: Environment,
): Promise<HelloRegistry | undefined> {
  const registry = await serveImages(helloImages)
  const place = { host: 'docker.io', server: 'https://registry-1.docker.io', mirror: registry.url }
  if (!writeRegistryMirror(containerd.registryFolder, place)) {
    await registry.close()
    return undefined
  }
  const closing = new AbortController()
  const { signal } = closing
  const wanted = { image: { image: helloImageName } }
  const pullIfMissing = async () => {
    const { image } = await containerd.runtime.imageStatus(wanted, { signal })
    if (!image) await containerd.runtime.pullImage(wanted, { signal })
  }
  let fetching = Promise.resolve()
  return {
    fetch() {
      fetching = pullIfMissing().catch((error: unknown) => {
        if (!signal.aborted) log.warn('proa/hello could not be made', { error })
      })
    },
    async close() {
      closing.abort(new Error('the cluster ends'))
      await fetching
      await registry.close()
    },
  }
}
