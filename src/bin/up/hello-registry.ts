import type { Environment } from '../../base/environment.js'
import type { Containerd } from '../../cri/containerd/containerd.js'
import { writeRegistryMirror } from '../../cri/containerd/registry-host.js'
import { helloImageName, helloImages } from '../../cri/images/hello-image.js'
import { serveImages } from '../../cri/images/image-registry.js'

export interface HelloRegistry {
  /** Pulls the image in the background, if containerd does not have it yet. */
  fetch(): void
  close(): Promise<void>
}

/**
 * Serves `proa/hello` to a private containerd, so that it works without a network. This process is a registry mirror that containerd asks
 * before Docker Hub: every pull policy works, and all other images come from Docker Hub. Resolves with undefined if the user has configured
 * another mirror of Docker Hub.
 */
export async function serveHelloImage(
  containerd: Containerd,
  { log }: Environment,
): Promise<HelloRegistry | undefined> {
  const registry = await serveImages(helloImages)
  const mirror = { host: 'docker.io', server: 'https://registry-1.docker.io', mirror: registry.url }
  if (!writeRegistryMirror(containerd.registryFolder, mirror)) {
    await registry.close()
    return undefined
  }
  const closing = new AbortController()
  const { signal } = closing
  const request = { image: { image: helloImageName } }
  const pullIfMissing = async () => {
    const { image } = await containerd.runtime.imageStatus(request, { signal })
    if (!image) await containerd.runtime.pullImage(request, { signal })
  }
  let fetching = Promise.resolve()
  return {
    fetch() {
      fetching = pullIfMissing().catch((error: unknown) => {
        if (!signal.aborted) log.warn('pull of proa/hello failed', { error })
      })
    },
    async close() {
      closing.abort(new Error('the cluster is stopping'))
      await fetching
      await registry.close()
    },
  }
}
