import type { Environment } from '../../base/environment.js'
import type { Containerd } from '../../cri/containerd/containerd.js'
import { writeRegistryMirror } from '../../cri/containerd/registry-host.js'
import { helloImageName, helloImages } from '../../cri/images/hello-image.js'
import { serveImages } from '../../cri/images/image-registry.js'

export interface HelloOffer {
  /** Pulls it in the background. A second time there is nothing to do: it is there. */
  fetch(): void
  close(): Promise<void>
}

/**
 * `proa/hello` for a containerd of our own, on a machine that reaches no registry: containerd is told to ask this process before it asks
 * Docker Hub. So a pull is a pull, whatever its policy, and all other images come from where they always do. Undefined where somebody has
 * decided already who is asked for images of Docker Hub.
 */
export async function offerHello(containerd: Containerd, { log }: Environment): Promise<HelloOffer | undefined> {
  const registry = await serveImages(helloImages)
  const place = { host: 'docker.io', server: 'https://registry-1.docker.io', mirror: registry.url }
  if (!writeRegistryMirror(containerd.registryFolder, place)) {
    await registry.close()
    return undefined
  }
  const closing = new AbortController()
  let fetching = Promise.resolve()
  return {
    fetch() {
      const pulled = containerd.runtime.pullImage({ image: { image: helloImageName } }, { signal: closing.signal })
      fetching = pulled.then(
        () => {},
        (error: unknown) => {
          if (!closing.signal.aborted) log.warn('proa/hello could not be made', { error })
        },
      )
    },
    async close() {
      closing.abort(new Error('the cluster ends'))
      await fetching
      await registry.close()
    },
  }
}
