import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../schema/declaration.js'

/** Puts a pod into the folder from which a kubelet takes static ones; without one, takes it away. */
export function writeStaticPod(folder: string, name: string, pod: JsonObject | undefined): void {
  const path = join(folder, name)
  if (!pod) {
    rmSync(path, { force: true })
    return
  }
  // The kubelet must not see half of it, and does not look at names that begin with a dot.
  const draft = join(folder, `.${name}`)
  writeFileSync(draft, JSON.stringify(pod))
  renameSync(draft, path)
}
