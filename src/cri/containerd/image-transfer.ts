import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Clock, sleep } from '../../base/clock.js'
import type { ImageService } from '../interface/services.js'

const run = promisify(execFile)

/** The namespace, in containerd's sense, of everything that Kubernetes runs. */
const kubernetesNamespace = 'k8s.io'
const visibleWithin = 30_000

export interface TransferOptions {
  readonly ctr: string
  readonly socket: string
}

/** Brings the images of an archive into containerd, unpacked and ready. Gives their names. */
export async function importImages({ ctr, socket }: TransferOptions, archive: string): Promise<string[]> {
  const { stdout } = await run(ctr, [...addressOf(socket), 'images', 'import', archive])
  return [...stdout.matchAll(/^unpacking (\S+) \(/gm)].map((match) => match[1]!)
}

/** Writes one image of containerd into an archive. */
export async function exportImage({ ctr, socket }: TransferOptions, name: string, archive: string): Promise<void> {
  await run(ctr, [...addressOf(socket), 'images', 'export', archive, name])
}

function addressOf(socket: string): string[] {
  return ['--address', socket, '--namespace', kubernetesNamespace]
}

/** The part of containerd that speaks CRI learns of imported images by hearsay, a little later. */
export async function untilVisible(images: ImageService, names: readonly string[], clock: Clock): Promise<void> {
  const until = clock.monotonic() + visibleWithin
  for (const name of names)
    while (!(await images.imageStatus({ image: { image: name } })).image) {
      if (clock.monotonic() > until) throw new Error(`${name} was imported, and the runtime does not know it`)
      await sleep(clock, 10)
    }
}
